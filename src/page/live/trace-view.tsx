import { useComputed, useSignal } from '@preact/signals';
import { visible, visibleLine } from '../../base/visible.js';
import { BoundedLines } from './bounded-lines.js';
import { EventSwitches } from './event-switches.js';
import { readFunctions, write } from './live-actions.js';
import { changes, functions, isPrepared, isReadOnly, pid, server } from './live-state.js';
import { NeedsFentry } from './needs-fentry.js';
import { RecordPart } from './record-part.js';
import { Refusal, useAction } from './use-action.js';
import { useRepeated } from './use-repeated.js';

/** What each tracer does, in words for who has not heard of it. */
const TRACERS: Readonly<Record<string, string>> = {
  nop: 'no function',
  function: 'each call of a function, with its caller',
  function_graph: 'each call, with its duration, as a graph',
};
/** Milliseconds between two readings of the settings: another page, or the command line, may change them. */
const READING = 3000;
/** Names that are offered while one is typed. */
const OFFERED = 50;

/** What is traced, and the lines of the trace as they come. */
export function TraceView() {
  if (!isPrepared.value) return <NeedsFentry />;
  return (
    <section class="scrolled live" aria-label="Trace">
      <p class="faint">
        A trace has a line for each call or event that was chosen here. What is switched on stays on until it is switched off: u
        puts all back.
      </p>
      <Settings key={pid.value} />
      <RecordPart key={`record ${pid.value}`} />
      <Pipe key={`pipe ${pid.value}`} />
    </section>
  );
}

/** The lines of the trace, when a person wants them: who reads them takes them out of the buffer. */
function Pipe() {
  const isFollowed = useSignal(false);
  return (
    <>
      <h2>The trace as it comes</h2>
      <p class="bar">
        <button
          type="button"
          data-action="follow"
          disabled={isReadOnly.value}
          aria-pressed={isFollowed.value}
          onClick={() => {
            isFollowed.value = !isFollowed.value;
          }}
        >
          {isFollowed.value ? 'Show no more' : 'Show it'} <kbd>s</kbd>
        </button>{' '}
        <span class="faint">The lines that are shown are taken out of the buffer: a recording does not have them.</span>
      </p>
      {isFollowed.value && (
        <BoundedLines
          title="Lines of the trace, the newest first"
          words="Nothing has come: choose a tracer or events."
          follow={(take, stop) => server.follow(pid.value!, 'trace_pipe', take, stop)}
        />
      )}
    </>
  );
}

/** The settings as the files have them: read again after each change, also of another page. */
function Settings() {
  const tracer = useAction();
  const tracing = useAction();
  const files = useSignal<Readonly<Record<string, string>>>({});
  const read = async (): Promise<void> => {
    const names = ['available_tracers', 'current_tracer', 'tracing_on', 'set_ftrace_filter'] as const;
    const texts = await Promise.all(names.map((name) => server.file(pid.value!, name)));
    files.value = Object.fromEntries(names.map((name, i) => [name, texts[i]!.trim()]));
  };
  const reading = useAction();
  useRepeated(() => reading.read(read), READING, [changes.value]);
  const { available_tracers: all = '', current_tracer: current = '', tracing_on: isOn = '' } = files.value;
  return (
    <>
      <p class="bar">
        <label>
          Traced is{' '}
          <select
            data-action="tracer"
            disabled={isReadOnly.value || tracer.isBusy}
            value={current}
            onChange={({ currentTarget: { value } }) => tracer.run(() => write('current_tracer', value).finally(read))}
          >
            {all
              .split(' ')
              .sort((a, b) => rank(a) - rank(b))
              .map((name) => (
                <option key={name} value={name} selected={name === current}>
                  {TRACERS[name] === undefined ? name : `${name}: ${TRACERS[name]}`}
                </option>
              ))}
          </select>
        </label>{' '}
        <label>
          <input
            type="checkbox"
            data-action="tracing"
            disabled={isReadOnly.value}
            checked={isOn === '1'}
            onChange={({ currentTarget: { checked } }) =>
              tracing.run(() => write('tracing_on', checked ? '1' : '0').finally(read))
            }
          />{' '}
          tracing is on <kbd>t</kbd>
        </label>
      </p>
      <Refusal of={tracer} />
      <Refusal of={tracing} />
      <Refusal of={reading} />
      <Filter words={files.value['set_ftrace_filter'] ?? ''} />
      <EventSwitches />
    </>
  );
}

/** The tracers that have words come first. */
const rank = (name: string): number => {
  const at = Object.keys(TRACERS).indexOf(name);
  return at < 0 ? Object.keys(TRACERS).length : at;
};

/** Which functions are traced, with names offered while one is typed. */
function Filter({ words }: { readonly words: string }) {
  const action = useAction();
  const listing = useAction();
  const typed = useSignal('');
  const offered = useComputed(() => {
    const sought = typed.value.toLowerCase();
    const names = new Set<string>();
    // The application's own first.
    for (const wanted of [true, false])
      for (const { name, isOwn } of functions.value ?? [])
        if (names.size < OFFERED && isOwn === wanted && name.toLowerCase().includes(sought)) names.add(name);
    return [...names];
  }).value;
  const chosen = words.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const add = (): Promise<void> =>
    action.run(async () => {
      await write('set_ftrace_filter', typed.value, true);
      typed.value = '';
    });
  return (
    <>
      <form
        class="bar"
        onSubmit={(event) => {
          event.preventDefault();
          void add();
        }}
      >
        <label>
          Only functions{' '}
          <input
            type="text"
            list="functions"
            data-action="filter"
            placeholder="handle*, *:mod:!* ..."
            disabled={isReadOnly.value}
            value={typed.value}
            onFocus={() => void listing.read(readFunctions)}
            onInput={({ currentTarget }) => (typed.value = currentTarget.value)}
          />
        </label>
        <datalist id="functions">
          {offered.map((name) => (
            <option key={name} value={visibleLine(name)} />
          ))}
        </datalist>{' '}
        <button type="submit" disabled={isReadOnly.value || typed.value === ''}>
          Add
        </button>{' '}
        {chosen.length > 0 && (
          <button type="button" disabled={isReadOnly.value} onClick={() => action.run(() => write('set_ftrace_filter', ''))}>
            All functions
          </button>
        )}
      </form>
      <Refusal of={action} />
      <Refusal of={listing} />
      <p class="faint">
        {chosen.length === 0 ? 'All functions can be traced.' : `Only these are: ${visible(chosen.slice(0, OFFERED).join(', '))}`}
      </p>
    </>
  );
}
