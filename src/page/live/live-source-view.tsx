import { useComputed, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { fileText } from '../../answers/place-text.js';
import { visible, visibleLine } from '../../base/visible.js';
import { message } from '../state.js';
import { BoundedLines } from './bounded-lines.js';
import { readChanges, readFunctions, showSource } from './live-actions.js';
import { changes, folder, functions, isPrepared, isReadOnly, pid, server, shownSource } from './live-state.js';
import { NeedsFentry } from './needs-fentry.js';
import { type KnownProbe, knownProbes, linesPath, probeHit, probeLines, type ShownHit, type ShownLine } from './source-lines.js';
import { type Action, Refusal, useAction } from './use-action.js';

/** Functions that a search shows, and lines around the one that was asked for. */
const FOUND = 40;
const AROUND = 1000;

/** Hits of a probe: how many came, and the last one. */
interface Hits {
  readonly count: number;
  readonly last: ShownHit;
}

/** The source of a function; a click on the number of a line puts a probe there. */
export function LiveSourceView() {
  if (!isPrepared.value) return <NeedsFentry />;
  return (
    <section class="scrolled live" aria-label="Source and probes">
      <FindFunction />
      {shownSource.value !== undefined && <File key={`${pid.value} ${shownSource.value.file}`} file={shownSource.value.file} />}
    </section>
  );
}

/** The functions of the process, by a part of their name or file. */
function FindFunction() {
  const action = useAction();
  const sought = useSignal('');
  useEffect(() => void action.read(readFunctions), [pid.value]);
  const found = useComputed(() => {
    const text = sought.value.toLowerCase();
    const own = (functions.value ?? []).filter(({ place }) => place?.file.startsWith('/'));
    const isMeant =
      text === ''
        ? own.filter(({ isOwn }) => isOwn)
        : own.filter(({ name, place }) => `${name} ${place!.file}`.toLowerCase().includes(text));
    return isMeant;
  }).value;
  return (
    <details open={shownSource.value === undefined}>
      <summary>{functions.value === undefined ? 'Functions' : `${functions.value.length} functions`}</summary>
      <p class="bar">
        <input
          type="search"
          data-action="find"
          aria-label="Search in functions and files"
          placeholder="Function or file /"
          value={sought.value}
          onInput={({ currentTarget }) => (sought.value = currentTarget.value)}
        />
      </p>
      <Refusal of={action} />
      <ul class="found">
        {found.slice(0, FOUND).map(({ name, place }, i) => (
          <li key={i}>
            <button type="button" class="link" data-row onClick={() => showSource(place!)}>
              {visibleLine(name)}
            </button>{' '}
            <span class="faint">
              {fileText(place!.file, folder.value)}:{place!.line}
            </span>
          </li>
        ))}
      </ul>
      {found.length > FOUND && <p class="faint">{found.length - FOUND} more: search for a part of the name.</p>}
    </details>
  );
}

/** A file with its probes and their hits. */
function File({ file }: { readonly file: string }) {
  const reading = useAction();
  const probing = useAction();
  const lines = useSignal<readonly ShownLine[]>([]);
  const probes = useSignal<readonly KnownProbe[]>([]);
  const hits = useSignal<ReadonlyMap<string, Hits>>(new Map());
  const values = useSignal('$vars');
  const { line: wanted } = shownSource.value!;
  const readProbes = async (): Promise<void> => {
    probes.value = knownProbes(await server.file(pid.value!, 'dynamic_events'));
  };
  useEffect(() => {
    void reading.read(async () => {
      lines.value = probeLines(await server.file(pid.value!, linesPath(file)));
      await readProbes();
    });
  }, [file]);
  useEffect(() => void reading.read(readProbes), [changes.value]);
  useEffect(() => {
    const row = document.querySelector<HTMLElement>(`#line-${wanted}`);
    row?.scrollIntoView({ block: 'center' });
    row?.querySelector('button')?.focus({ preventScroll: true });
  }, [lines.value, wanted]);
  const probeAt = (line: number): KnownProbe | undefined => probes.value.find(({ place }) => place === `${file}:${line}`);
  const toggle = (line: number): Promise<void> =>
    probing.run(async () => {
      const known = probeAt(line);
      if (known === undefined) {
        const definition = `${file}:${line} ${values.value}`;
        const { name } = await server.post<{ readonly name: string }>('/live/probe', { pid: pid.value!, definition });
        message.value = `line ${line} has the probe ${visibleLine(name)}`;
      } else {
        await server.post('/live/remove-probe', { pid: pid.value!, event: known.name });
        message.value = `line ${line} has no probe any more`;
      }
      await readProbes();
      await readChanges();
    });
  const take = (all: readonly string[]): void => {
    const map = new Map(hits.value);
    for (const line of all) {
      const hit = probeHit(line);
      if (hit !== undefined) map.set(hit.event, { count: (map.get(hit.event)?.count ?? 0) + 1, last: hit });
    }
    hits.value = map;
  };
  return (
    <>
      <h2>{fileText(file, folder.value)}</h2>
      <p class="bar">
        A click on the number of a line puts a probe there, or removes it.{' '}
        <label>
          It shows{' '}
          <input
            type="text"
            data-action="values"
            size={16}
            value={values.value}
            onInput={({ currentTarget }) => (values.value = currentTarget.value)}
          />
        </label>{' '}
        <span class="faint">$vars: all variables; $params: the parameters; or expressions such as order.id</span>
      </p>
      <Refusal of={reading} />
      <Refusal of={probing} />
      <Lines lines={lines.value} wanted={wanted} probeAt={probeAt} hits={hits.value} toggle={toggle} action={probing} />
      <OtherProbes probes={probes.value.filter(({ place }) => !place.startsWith(`${file}:`))} hits={hits.value} />
      {probes.value.length > 0 && (
        <BoundedLines
          title="Hits of the probes, the newest first"
          words="No probe was hit since they are shown."
          follow={(show, stop) => {
            const both = (all: readonly string[]): void => {
              take(all);
              show(all);
            };
            return server.watch('/live/hits', { pid: pid.value! }, both, stop);
          }}
          refused={isReadOnly.value ? 'This page only reads: showing hits would make an instance in the process.' : undefined}
        />
      )}
    </>
  );
}

interface LinesProps {
  readonly lines: readonly ShownLine[];
  readonly wanted: number;
  readonly hits: ReadonlyMap<string, Hits>;
  readonly action: Action;
  probeAt(line: number): KnownProbe | undefined;
  toggle(line: number): Promise<void>;
}

function Lines({ lines, wanted, hits, action, probeAt, toggle }: LinesProps) {
  const shown = lines.filter(({ line }) => Math.abs(line - wanted) <= AROUND);
  return (
    <section class="file" aria-label="Source">
      <table class="source">
        <tbody>
          {shown.map(({ line, text, isPlace }) => {
            const probe = probeAt(line);
            const known = probe && hits.get(probe.event);
            return (
              <tr key={line} id={`line-${line}`} class={probe === undefined ? (line === wanted ? 'chosen' : '') : 'probed'}>
                <th scope="row">
                  {isPlace ? (
                    <button
                      type="button"
                      class="number"
                      data-row
                      disabled={isReadOnly.value || action.isBusy}
                      aria-pressed={probe !== undefined}
                      aria-label={`Line ${line}: ${probe === undefined ? 'put a probe here' : 'remove the probe'}`}
                      onClick={() => void toggle(line)}
                    >
                      {line}
                    </button>
                  ) : (
                    <span class="faint">{line}</span>
                  )}
                </th>
                <td class="code">
                  <code>{visible(text)}</code>
                  {probe !== undefined && (
                    <div class="hits">
                      {known === undefined
                        ? 'no hit yet'
                        : `${known.count} hits; the last: ${visibleLine(known.last.values || 'no values')}`}
                    </div>
                  )}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}

interface OtherProbesProps {
  readonly probes: readonly KnownProbe[];
  readonly hits: ReadonlyMap<string, Hits>;
}

/** Probes that stand elsewhere. */
function OtherProbes({ probes, hits }: OtherProbesProps) {
  if (probes.length === 0) return null;
  return (
    <>
      <h3>Probes elsewhere</h3>
      <ul>
        {probes.map(({ name, event, place }) => (
          <li key={name}>
            {visibleLine(name)} on {visibleLine(place)}: {hits.get(event)?.count ?? 0} hits
          </li>
        ))}
      </ul>
    </>
  );
}
