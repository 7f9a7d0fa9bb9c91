import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { BtAnswer, BtFrame, BtThread } from '../../answers/bt/bt-answer.js';
import type { ProcessLoad } from '../../answers/live/live-answer.js';
import { turnText } from '../../answers/slow/slow-text.js';
import { threadTitle } from '../../answers/thread-title.js';
import { variablesText } from '../../answers/variables-text.js';
import { visible, visibleLine } from '../../base/visible.js';
import { message } from '../state.js';
import { FrameText } from './frame-link.js';
import { HandlesPart, WaitingPart } from './kept-alive.js';
import { checkEnded, readProcesses, showProcess, showView } from './live-actions.js';
import { EndedError } from './live-server.js';
import { folder, hasEnded, isAll, isPrepared, isReadOnly, lastBt, pid, server, shownProcess, slowTurns } from './live-state.js';
import { countSeen, loadText, type Seen, seenOf, type ThreadGroup, threadGroups, threadWords } from './now-words.js';
import { Refusal, useAction } from './use-action.js';
import { useRepeated } from './use-repeated.js';

/** Milliseconds between two looks at the process. */
const LOOK = 1500;
/** Looks that are counted, and functions of them that are shown. */
const LOOKS = 60;
const SHOWN = 6;
/** Characters of a call's values. */
const VALUES = 120;

/** What the process does now, and what it was seen doing: the first thing that a person sees. */
export function NowView() {
  const one = shownProcess.value;
  if (one === undefined) return <p class="faint">No process is chosen: 7 lists them.</p>;
  return (
    <section class="scrolled live" aria-label="Now">
      {one.isPrepared ? <Watched key={one.pid} /> : <Unprepared key={one.pid} />}
    </section>
  );
}

/** A process that runs with fentry: it is looked at again and again. */
function Watched() {
  const looks = useSignal<readonly Seen[]>([]);
  const load = useSignal('');
  const refusal = useSignal('');
  const before = useSignal<ProcessLoad | undefined>(undefined);
  useRepeated(
    async () => {
      try {
        const now = await server.get<ProcessLoad>('/live/load', { pid: pid.value! });
        load.value = loadText(now, before.value);
        before.value = now;
        const answer = JSON.parse(await server.file(pid.value!, 'answers/bt.json')) as BtAnswer;
        lastBt.value = answer;
        folder.value = answer.application;
        looks.value = [...looks.value, seenOf(answer)].slice(-LOOKS);
        refusal.value = '';
      } catch (error) {
        if (error instanceof EndedError) throw error;
        refusal.value = (error as Error).message;
      }
    },
    LOOK,
    [],
  );
  return (
    <>
      <Headline load={load.value} />
      {refusal.value !== '' && (
        <pre role="alert" class="refusal">
          {visible(refusal.value)}
        </pre>
      )}
      <Seldom />
      <div class="lists">
        {lastBt.value !== undefined && <Threads answer={lastBt.value} />}
        <SeenPart looks={looks.value} />
      </div>
      <HandlesPart />
      <WaitingPart />
    </>
  );
}

/** One sentence of what the main thread does. */
function Headline({ load }: { readonly load: string }) {
  const main = lastBt.value?.threads[0];
  const words = hasEnded.value
    ? 'It has ended.'
    : main === undefined
      ? 'Asking it ...'
      : `Its main thread ${threadWords(main, folder.value)}.`;
  return (
    <p class="headline">
      <strong>{words}</strong> {!hasEnded.value && load !== '' && <span class="faint">It uses {load}.</span>}
    </p>
  );
}

/** The last turn of the event loop that took too long. */
function Seldom() {
  const [turn] = slowTurns.value;
  if (turn === undefined) return null;
  const [words] = turnText(turn, { folder: folder.value });
  return (
    <p>
      {slowTurns.value.length === 1
        ? 'A turn of its event loop took too long: '
        : `${slowTurns.value.length} turns of its event loop took too long, the last one: `}
      {words}.{' '}
      <button type="button" onClick={() => showView('slow')}>
        Slow turns
      </button>
    </p>
  );
}

/** How often the main thread was seen doing what. */
function SeenPart({ looks }: { readonly looks: readonly Seen[] }) {
  const counted = countSeen(looks).slice(0, SHOWN);
  return (
    <section aria-label="Seen">
      <h2>What the main thread was seen doing</h2>
      <p class="faint">
        It was looked at {looks.length} times, every {LOOK / 1000} s.
      </p>
      <table>
        <thead>
          <tr>
            <th scope="col">Function</th>
            <th scope="col">Times</th>
            <td />
          </tr>
        </thead>
        <tbody>
          {counted.map(({ seen, count }) => (
            <tr key={`${seen.words} ${seen.frame?.place?.line}`}>
              <th scope="row">{seen.frame === undefined ? seen.words : <FrameText frame={seen.frame} />}</th>
              <td>{count}</td>
              <td class="bars short">
                <span style={{ width: `${(100 * count) / looks.length}%` }} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** The stack of each thread. */
function Threads({ answer }: { readonly answer: BtAnswer }) {
  return (
    <section aria-label="Threads">
      <h2>Its threads</h2>
      <p class="bar">
        <label>
          <input type="checkbox" data-action="all" checked={isAll.value} onChange={() => (isAll.value = !isAll.value)} /> with
          calls of packages and of Node
        </label>
      </p>
      {threadGroups(answer.threads).map((group) => (
        <Group key={group.threads[0]!.thread} group={group} />
      ))}
      {answer.note !== undefined && <p class="faint">{visibleLine(answer.note)}</p>}
    </section>
  );
}

function Group({ group: { threads, isFolded } }: { readonly group: ThreadGroup }) {
  const [first] = threads;
  if (isFolded)
    return (
      <h3>
        {threads.length} workers ({threads.map(({ thread }) => thread).join(', ')}) wait for the next event
      </h3>
    );
  return (
    <>
      <h3>
        {threadTitle(first!)} {first!.tid !== undefined && `(${first!.tid})`}: {threadWords(first!, folder.value)}
      </h3>
      <Stack thread={first!} />
    </>
  );
}

/** The calls of a thread, the innermost first; those that are not the application's are folded, but for the innermost. */
function Stack({ thread: { frames, cut } }: { readonly thread: BtThread }) {
  const shown = isAll.value || frames.every(({ isOwn }) => !isOwn) ? frames : frames.filter(({ isOwn }, i) => isOwn || i === 0);
  const left = frames.length - shown.length;
  return (
    <>
      <ol class="stack">
        {shown.map((frame, i) => (
          <Call key={i} frame={frame} />
        ))}
      </ol>
      {left > 0 && <p class="faint">{left} calls of packages and of Node are not shown: a shows them.</p>}
      {cut !== undefined && <p class="faint">{cut.count ?? 'Some'} calls more are on the stack.</p>}
    </>
  );
}

function Call({ frame }: { readonly frame: BtFrame }) {
  const { arguments: values, isAsync } = frame;
  return (
    <li>
      {isAsync && <span class="faint">async </span>}
      <FrameText frame={frame} />
      {values !== undefined && values.length > 0 && <code class="values">{variablesText(values, VALUES)}</code>}
    </li>
  );
}

/** A process that runs without fentry: it is asked only when a person wants it, because that opens its inspector. */
function Unprepared() {
  const asked = useAction();
  const attached = useAction();
  const one = pid.value!;
  return (
    <>
      <p class="headline">
        <strong>{hasEnded.value ? 'It has ended.' : 'It runs without fentry.'}</strong> It can be asked what it does: a signal
        (SIGUSR1) opens its inspector on this machine for a moment. Or fentry is loaded into it; then all views are there, and
        functions that are loaded already are traced by breakpoints.
      </p>
      <p class="bar">
        <button
          type="button"
          data-action="ask"
          disabled={isReadOnly.value}
          onClick={() =>
            asked.run(async () => {
              lastBt.value = await server.post<BtAnswer>('/live/ask', { pid: one, answer: 'bt' });
              folder.value = lastBt.value.application;
            })
          }
        >
          {asked.isBusy ? 'Asking it ...' : 'What does it do now'} <kbd>b</kbd>
        </button>{' '}
        <button
          type="button"
          data-action="attach"
          disabled={isReadOnly.value}
          onClick={() =>
            attached.run(async () => {
              const { warning } = await server.post<{ warning?: string }>('/live/attach', { pid: one });
              await readProcesses();
              showProcess(one);
              message.value = warning ?? `fentry is in process ${one}`;
            })
          }
        >
          {attached.isBusy ? 'Loading fentry ...' : 'Load fentry into it'} <kbd>x</kbd>
        </button>
      </p>
      {isReadOnly.value && <p class="faint">This page only reads: it sends no signal.</p>}
      <Refusal of={asked} />
      <Refusal of={attached} />
      {lastBt.value !== undefined && (
        <>
          <Headline load="" />
          <Threads answer={lastBt.value} />
        </>
      )}
      {!isPrepared.value && (
        <>
          <HandlesPart />
          <WaitingPart />
        </>
      )}
    </>
  );
}

/** Follows the slow turns of a process as long as the page is open. */
export function useSlowTurns(ms: number): void {
  const wanted = isPrepared.value && !hasEnded.value ? pid.value : undefined;
  useEffect(() => {
    if (wanted === undefined) return;
    const stop = new AbortController();
    const take = (lines: readonly string[]): void => {
      const turns = lines.map((line) => JSON.parse(line));
      slowTurns.value = [...turns.reverse(), ...slowTurns.value].slice(0, KEPT_TURNS);
    };
    server.follow(wanted, `answers/slow_pipes/${ms}`, take, stop.signal).then(
      () => {
        if (!stop.signal.aborted && pid.value === wanted) void checkEnded(wanted);
      },
      () => {},
    );
    return () => stop.abort();
  }, [wanted, ms]);
}

/** The slow turns that are kept. */
const KEPT_TURNS = 100;
