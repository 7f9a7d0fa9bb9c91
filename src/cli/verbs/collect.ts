import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Collector } from '../../collect/collector.js';
import { numberOption, splitCommand } from '../arguments.js';
import { runCollected } from '../collect/collect-command.js';
import { collectLoop } from '../collect/collect-loop.js';
import { rowSink, TARGET_HELP, targetKey } from '../collect/row-sink.js';
import { RunningProcesses } from '../collect/running-processes.js';
import {
  leaveSpoolFolder,
  leftSpoolFolders,
  newSpoolFolder,
  removeSpoolFolder,
  type SpoolFolder,
  spoolBase,
} from '../collect/spool-folders.js';
import { complain } from '../output.js';
import { byteText } from '../record/progress-line.js';
import { type Ending, endOf } from '../record/run-command.js';
import { SIZE_OPTIONS, sizeLimits } from '../record/size-limits.js';
import { parseTracerOptions, TRACER_HELP, TRACER_OPTIONS, type TracerOptionValues } from '../tracer-options.js';
import { UsageError, type Verb } from '../verb.js';

const OPTIONS = {
  to: { type: 'string' },
  all: { type: 'boolean' },
  service: { type: 'string' },
  release: { type: 'string' },
  slow: { type: 'string' },
  histograms: { type: 'string' },
  interval: { type: 'string' },
  'max-cpu': { type: 'string' },
  'max-size': SIZE_OPTIONS['max-size'],
  spool: { type: 'string' },
  ...TRACER_OPTIONS,
} as const;

/** What is collected where nothing is named. */
const DEFAULT_EVENTS = ['http:server_request_end', 'http:client_request_end', 'http:undici_request_end'] as const;
const DEFAULT_SLOW = 100;
const LEAST_SLOW = 10;
/** KiB of each thread's buffer. */
const BUFFER_KB = '4096';
/** Times of several processes are put into one order. */
const CLOCK = 'mono';
const DEFAULT_BYTES = 256 << 20;
const DEFAULT_INTERVAL = 10;
const DEFAULT_CPU = 25;

/** Milliseconds between two looks whether all is over. */
const LOOK = 250;

const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** What is traced: what the options say, or requests. */
function tracingOf(values: TracerOptionValues): TracerOptionValues {
  const isNamed =
    values.events !== undefined || values.tracer !== undefined || values.function !== undefined || values.own === true;
  if (values.clock !== undefined) throw new UsageError('-C has no meaning here: times are those of the day');
  const events = isNamed ? values.events : DEFAULT_EVENTS.map((pattern) => ({ pattern, enable: true }));
  return { buffer: BUFFER_KB, ...values, clock: CLOCK, ...(events && { events }) };
}

export const collect: Verb = {
  name: 'collect',
  synopsis:
    '--to TARGET [--service NAME] [--release TEXT] [-e EVENT] [-l FUNC] [-p TRACER] [--own] [--slow MS] [--histograms SECONDS] [--interval SECONDS] [--max-cpu PERCENT] [--max-size SIZE] [--spool DIR] [--all | [--] COMMAND...]',
  summary: 'collect events, slow turns and calls of many processes in tables',
  options: OPTIONS,
  help: `  --to TARGET   where the rows go:
${TARGET_HELP}  --all         all applications that run with fentry, and those that start later, until Ctrl-C; without it, those of COMMAND
  --service NAME
                the service in the rows; without it each process's program
  --release TEXT
                what the column release has, such as a version or a commit
  --slow MS     turns of the event loop over so many milliseconds (${DEFAULT_SLOW}); 0: none
  --histograms SECONDS
                read all histograms so often; without it never
  --interval SECONDS
                store rows so often (${DEFAULT_INTERVAL})
  --max-cpu PERCENT
                of one core that this command uses at most (${DEFAULT_CPU})
  --max-size SIZE
                of what waits for the target at most (${byteText(DEFAULT_BYTES)}): then the oldest records are lost, and the table lost says so
  --spool DIR   where it waits; without it below $XDG_STATE_HOME or ~/.local/state
${TRACER_HELP}
Without -e, -l, -p and --own it collects the ends of HTTP requests. Calls are collected where functions are named: -l FUNC, --own.
A target that is slow, full or down costs the programs nothing. What a collector that was killed has left is stored by the next one
with the same target. With neither COMMAND nor --all it stores only that, until the processes of it have ended.

Examples: fentry collect --to /data/fleet --service shop -e http -- node server.js
          fentry collect --to /data/fleet --all --own --min-duration 1ms
          fentry collect --to otlp+http://127.0.0.1:4318 --all -e http
`,
  async run(args) {
    const { own, command } = splitCommand(args, OPTIONS);
    const { values } = parseTracerOptions(own, OPTIONS);
    const { to, all = false } = values;
    if (to === undefined) throw new UsageError('name where the rows go: --to DIR, or a URL');
    if (all && command.length > 0) throw new UsageError('--all collects what runs: leave out the command');
    const seconds = (option: '--interval' | '--histograms', word: string): number => numberOption(option, word, 1) * 1000;
    const slow = values.slow === undefined ? DEFAULT_SLOW : numberOption('--slow', values.slow);
    if (slow > 0 && slow < LEAST_SLOW) throw new UsageError(`--slow must be at least ${LEAST_SLOW}, or 0 for none`);
    const lines = {
      slow: slow === 0 ? undefined : slow,
      histograms: values.histograms === undefined ? undefined : seconds('--histograms', values.histograms),
    };
    const percent = values['max-cpu'] === undefined ? DEFAULT_CPU : numberOption('--max-cpu', values['max-cpu'], 1);
    const interval = seconds('--interval', values.interval ?? String(DEFAULT_INTERVAL));
    const size = values['max-size'];
    const bytes = (size === undefined ? undefined : sizeLimits({ 'max-size': size }).bytes) ?? DEFAULT_BYTES;
    const tracing = tracingOf(values);
    const sink = await rowSink(to);
    const base = values.spool ?? spoolBase(targetKey(to), process.env);
    const left = await leftSpoolFolders(base);
    const isRunning = all || command.length > 0;
    const spool = isRunning ? newSpoolFolder(base) : undefined;
    const end = new AbortController();
    const running = all && spool ? new RunningProcesses(spool.folder, tracing, bytes, lines, end.signal) : undefined;
    const { service, release } = values;
    const collectorOf = ({ folder, run }: SpoolFolder, live = false): Collector =>
      new Collector(
        {
          folder,
          service,
          release,
          ...(live && running && { refresh: (pid) => running.refresh(pid), isRecorded: (pid) => running.isRecorded(pid) }),
        },
        sink,
        run,
      );
    const folders = [...left, ...(spool ? [spool] : [])];
    const collectors = folders.map((one) => collectorOf(one, one === spool));
    const stored = new AbortController();
    const loop = collectLoop(collectors, {
      interval,
      maxCpu: Math.min(percent, 100) / 100,
      end: stored.signal,
      target: sink.name,
    });
    let ending: Ending = { code: 0, began: true };
    try {
      if (running) {
        complain(`collecting into ${sink.name}; until Ctrl-C`);
        const over = running.run();
        await Promise.race(STOP_SIGNALS.map((name) => once(process, name)));
        end.abort();
        await over;
      } else if (spool) ending = await runCollected(command, { tracing, folder: spool.folder, bytes, lines });
      else await leftAreOver(collectors);
    } finally {
      end.abort();
      stored.abort();
    }
    const isStored = await loop;
    report(collectors, folders, isStored);
    return endOf(ending, command[0], complain);
  },
};

/** Resolves when what other collectors have left is stored and its processes have ended, or at a signal. */
async function leftAreOver(collectors: readonly Collector[]): Promise<void> {
  const stop = new AbortController();
  const stopped = (): void => stop.abort();
  for (const name of STOP_SIGNALS) process.once(name, stopped);
  while (!stop.signal.aborted && !collectors.every(({ isOver }) => isOver)) {
    await sleep(LOOK, undefined, { signal: stop.signal }).catch(() => {});
  }
}

/** Says what was stored, and what is left. Removes folders of which all is stored. */
function report(collectors: readonly Collector[], folders: readonly SpoolFolder[], isStored: boolean): void {
  const sum = (key: 'rows' | 'lost'): number => collectors.reduce((all, { collected }) => all + collected[key], 0);
  complain(`${sum('rows').toLocaleString('en')} rows stored, ${sum('lost').toLocaleString('en')} records lost`);
  const open = folders.filter((folder, i) => {
    if (!collectors[i]!.isOver) return true;
    removeSpoolFolder(folder);
    return false;
  });
  for (const folder of open) leaveSpoolFolder(folder);
  if (open.length === 0) return;
  const why = isStored ? 'processes go on recording' : 'the target has not taken all rows';
  complain(`${why}: the next fentry collect with this target goes on (${open.map(({ folder }) => folder).join(', ')})`);
}
