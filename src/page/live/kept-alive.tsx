import { useSignal } from '@preact/signals';
import type { Handle, HandlesAnswer } from '../../answers/handles/handles-answer.js';
import { threadTitle } from '../../answers/thread-title.js';
import type { WaitingAnswer, WaitingCall } from '../../answers/waiting/waiting-answer.js';
import { visibleLine } from '../../base/visible.js';
import { FrameText, PlaceLink } from './frame-link.js';
import type { ControlName } from './live-keys.js';
import { isPrepared, isReadOnly, pid, server } from './live-state.js';
import { type Action, Refusal, useAction } from './use-action.js';

/** Rows that are shown of a thread. */
const MOST = 100;

/** Asks for an answer: of a process without fentry, by its inspector. */
const ask = async <T,>(name: string): Promise<T> =>
  isPrepared.value
    ? (JSON.parse(await server.file(pid.value!, `answers/${name}.json`)) as T)
    : server.post<T>('/live/ask', { pid: pid.value!, answer: name });

interface AskProps {
  readonly action: Action;
  readonly control: ControlName;
  readonly keyLabel: string;
  readonly title: string;
  readonly ask: () => Promise<void>;
}

/** A question that a person asks by hand, because the program stands still for its answer. */
function Ask({ action, control, keyLabel, title, ask: asking }: AskProps) {
  return (
    <>
      <p class="bar">
        <button
          type="button"
          data-action={control}
          disabled={isReadOnly.value && !isPrepared.value}
          onClick={() => action.run(asking)}
        >
          {action.isBusy ? 'Asking it ...' : title} <kbd>{keyLabel}</kbd>
        </button>
      </p>
      <Refusal of={action} />
    </>
  );
}

/** What keeps the process alive: timers, servers, sockets. */
export function HandlesPart() {
  const action = useAction();
  const answer = useSignal<HandlesAnswer | undefined>(undefined);
  const asking = async (): Promise<void> => {
    answer.value = await ask<HandlesAnswer>('handles');
  };
  return (
    <section aria-label="What keeps it alive">
      <h2>What it waits for</h2>
      <p class="faint">
        The program stands still for each of these answers, about 0.3 s for 10 MB of heap: the turn is a slow one.
      </p>
      <Ask action={action} control="handles" keyLabel="h" title="What keeps it alive" ask={asking} />
      {answer.value?.threads.map((thread) => (
        <table key={thread.thread}>
          <caption>
            {threadTitle(thread)}:{' '}
            {thread.silence ?? `${thread.handles.filter(({ keeps }) => keeps).length} things keep it alive`}
          </caption>
          <tbody>
            {thread.handles
              .filter(({ keeps }) => keeps)
              .slice(0, MOST)
              .map((one, i) => (
                <HandleRow key={i} handle={one} />
              ))}
          </tbody>
        </table>
      ))}
    </section>
  );
}

function HandleRow({ handle: { kind, what, calls } }: { readonly handle: Handle }) {
  return (
    <tr>
      <th scope="row">{visibleLine(kind)}</th>
      <td class="words">{visibleLine(what)}</td>
      <td class="words">
        {calls !== undefined && (
          <>
            calls <FrameText frame={calls} />
          </>
        )}
      </td>
    </tr>
  );
}

/** Which async calls wait, and for what. */
export function WaitingPart() {
  const action = useAction();
  const answer = useSignal<WaitingAnswer | undefined>(undefined);
  const asking = async (): Promise<void> => {
    answer.value = await ask<WaitingAnswer>('waiting');
  };
  return (
    <section aria-label="Async calls that wait">
      <Ask action={action} control="waiting" keyLabel="w" title="Which async calls wait" ask={asking} />
      {answer.value?.threads.map(({ silence, suspended, calls, thread, name }) => (
        <table key={thread}>
          <caption>
            {threadTitle({ thread, name })}: {silence ?? `${suspended} async calls are suspended`}
          </caption>
          <tbody>
            {calls
              .filter(({ isOwn }) => isOwn)
              .slice(0, MOST)
              .map((call, i) => (
                <WaitingRow key={i} call={call} all={calls} />
              ))}
          </tbody>
        </table>
      ))}
    </section>
  );
}

interface WaitingRowProps {
  readonly call: WaitingCall;
  readonly all: readonly WaitingCall[];
}

function WaitingRow({ call, all }: WaitingRowProps) {
  const { count, awaits, source, waited, waitsFor } = call;
  return (
    <tr>
      <td>{count} ×</td>
      <th scope="row">
        <FrameText frame={call} />
      </th>
      <td class="words">
        {waitsFor !== undefined ? `waits for ${visibleLine(all[waitsFor]!.name)}` : 'waits'}{' '}
        {awaits !== undefined && (
          <>
            at <PlaceLink place={awaits} />
          </>
        )}{' '}
        {waited !== undefined && `for ${(waited.mostMs / 1000).toFixed(1)} s`}{' '}
        {source !== undefined && <code>{visibleLine(source)}</code>}
      </td>
    </tr>
  );
}
