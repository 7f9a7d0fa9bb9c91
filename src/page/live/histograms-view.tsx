import { type Signal, useComputed, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { LiveHistogram } from '../../answers/live/live-answer.js';
import { visibleLine } from '../../base/visible.js';
import { countText } from '../time-text.js';
import { type HistRow, parseHist, type ShownHistogram } from './hist-text.js';
import { write } from './live-actions.js';
import { EndedError } from './live-server.js';
import { changes, isPrepared, isReadOnly, pid, server } from './live-state.js';
import { NeedsFentry } from './needs-fentry.js';
import { Refusal, useAction } from './use-action.js';
import { useRepeated } from './use-repeated.js';

/** Milliseconds between two readings, and rows that are shown. */
const READING = 1500;
const ROWS = 50;

/** The histograms of the process as bars, and a form that makes one. */
export function HistogramsView() {
  if (!isPrepared.value) return <NeedsFentry />;
  return (
    <section class="scrolled live" aria-label="Histograms">
      <p class="faint">
        A histogram counts an event by what it has, in the process itself: requests by their URL, collections by their kind.
      </p>
      <Make key={pid.value} />
      <All key={`all ${pid.value}`} />
    </section>
  );
}

/** The form: an event, what it is counted by, and which values are added up. */
function Make() {
  const action = useAction();
  const listing = useAction();
  const events = useSignal<readonly string[]>([]);
  const event = useSignal('');
  const keys = useSignal('');
  const values = useSignal('');
  const fields = useSignal<readonly string[]>([]);
  useEffect(() => {
    void listing.read(async () => {
      events.value = (await server.file(pid.value!, 'available_events')).split('\n').filter((line) => line !== '');
    });
  }, []);
  const readFields = async (): Promise<void> => {
    if (!events.value.includes(event.value)) return;
    const format = await server.file(pid.value!, `${folderOf(event.value)}/format`);
    fields.value = Array.from(format.matchAll(/^\tfield:.*?(\w+)(?:\[\d*\])?;/gm), ([, name]) => name!);
  };
  const make = (): Promise<void> =>
    action.run(async () => {
      const vals = values.value.trim() === '' ? '' : `:vals=${values.value.trim()}`;
      await write(`${folderOf(event.value)}/trigger`, `hist:keys=${keys.value.trim()}${vals}`, true);
    });
  const text = (title: string, state: Signal<string>, list: string, more: object = {}) => (
    <label>
      {title}{' '}
      <input
        type="text"
        list={list}
        disabled={isReadOnly.value}
        value={state.value}
        onInput={({ currentTarget }) => (state.value = currentTarget.value)}
        {...more}
      />
    </label>
  );
  return (
    <>
      <form
        class="bar"
        onSubmit={(submitted) => {
          submitted.preventDefault();
          void make();
        }}
      >
        {text('Count', event, 'events', {
          'data-action': 'event',
          placeholder: 'http:server_request_start',
          onChange: () => void listing.read(readFields),
        })}{' '}
        {text('by', keys, 'fields', { placeholder: 'url' })}{' '}
        {text('and add up', values, 'fields', { placeholder: 'nothing more' })}{' '}
        <button type="submit" data-action="make" disabled={isReadOnly.value || event.value === '' || keys.value.trim() === ''}>
          Make it <kbd>n</kbd>
        </button>
      </form>
      {fields.value.length > 0 && <p class="faint">The event has: {visibleLine(fields.value.join(', '))}.</p>}
      <datalist id="events">
        {events.value.map((name) => (
          <option key={name} value={visibleLine(name)} />
        ))}
      </datalist>
      <datalist id="fields">
        {fields.value.map((name) => (
          <option key={name} value={visibleLine(name)} />
        ))}
      </datalist>
      <Refusal of={action} />
      <Refusal of={listing} />
    </>
  );
}

/** The folder of `SYSTEM:EVENT`. */
const folderOf = (event: string): string => `events/${event.replace(':', '/')}`;

/** All histograms of the process, read again and again. */
function All() {
  const listing = useAction();
  const list = useSignal<readonly LiveHistogram[]>([]);
  const texts = useSignal<ReadonlyMap<string, string>>(new Map());
  const readList = async (): Promise<void> => {
    list.value = await server.get<readonly LiveHistogram[]>('/live/histograms', { pid: pid.value! });
  };
  useEffect(() => void listing.read(readList), [changes.value]);
  useRepeated(
    async () => {
      const folders = [...new Set(list.value.map(({ folder }) => folder))];
      const all = folders.map(async (folder) => [folder, await server.file(pid.value!, `${folder}/hist`)] as const);
      texts.value = new Map(
        (await Promise.allSettled(all)).flatMap((one) => {
          if (one.status === 'fulfilled') return [one.value];
          if (one.reason instanceof EndedError) throw one.reason;
          return [];
        }),
      );
    },
    READING,
    [list.value],
  );
  const shown = useComputed(() =>
    list.value.map((one) => {
      const found = parseHist(texts.value.get(one.folder) ?? '').find(({ trigger }) => trigger === one.trigger);
      return { one, found };
    }),
  ).value;
  return (
    <>
      <p class="bar">
        <button type="button" data-action="refresh" onClick={() => listing.run(readList)}>
          Read the list again <kbd>r</kbd>
        </button>
      </p>
      <Refusal of={listing} />
      {shown.length === 0 && !listing.isBusy && <p>No histogram is there.</p>}
      {shown.map(({ one, found }) => (
        <Histogram key={`${one.folder} ${one.trigger}`} listed={one} shown={found} />
      ))}
    </>
  );
}

interface HistogramProps {
  readonly listed: LiveHistogram;
  /** Undefined: not read yet. */
  readonly shown: ShownHistogram | undefined;
}

function Histogram({ listed: { event, folder, trigger }, shown }: HistogramProps) {
  const action = useAction();
  const rows = [...(shown?.rows ?? [])].sort((a, b) => countOf(b) - countOf(a));
  const most = rows.reduce((max, row) => Math.max(max, countOf(row)), 1);
  const names = rows[0]?.values.map(([name]) => name) ?? [];
  return (
    <section aria-label={event}>
      <h2>{visibleLine(event)}</h2>
      <p class="bar">
        <code>{visibleLine(trigger)}</code>{' '}
        <button
          type="button"
          data-row
          disabled={isReadOnly.value}
          onClick={() => action.run(() => write(`${folder}/trigger`, `!${trigger}`, true))}
        >
          Remove
        </button>
      </p>
      <Refusal of={action} />
      <table>
        <caption>
          {countText(shown?.hits ?? 0)} were counted
          {shown !== undefined && shown.dropped > 0 && `, ${countText(shown.dropped)} found no room`}
        </caption>
        <thead>
          <tr>
            <th scope="col">Key</th>
            {names.map((name) => (
              <th key={name} scope="col">
                {name === 'hitcount' ? 'Count' : visibleLine(name)}
              </th>
            ))}
            <td />
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, ROWS).map((row) => (
            <tr key={row.key}>
              <th scope="row">{visibleLine(row.key)}</th>
              {row.values.map(([name, value]) => (
                <td key={name}>{countText(value)}</td>
              ))}
              <td class="bars short">
                <span style={{ width: `${(100 * countOf(row)) / most}%` }} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > ROWS && <p class="faint">{countText(rows.length - ROWS)} keys more are not shown.</p>}
    </section>
  );
}

const countOf = ({ values }: HistRow): number => values[0]?.[1] ?? 0;
