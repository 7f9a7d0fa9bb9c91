import type { EventRequest } from '../events/event-request.js';
import { type OptionSpecs, type OptionValues, parseOptions } from './arguments.js';
import { EVENT_HELP, EVENT_OPTIONS, eventRequests } from './event-options.js';
import { UsageError } from './verb.js';

/** The letters of trace-cmd that say what is traced; `record` and `start` share them. */
export const TRACER_OPTIONS = {
  tracer: { type: 'string', short: 'p' },
  function: { type: 'string', short: 'l', multiple: true },
  notrace: { type: 'string', short: 'n', multiple: true },
  graph: { type: 'string', short: 'g', multiple: true },
  option: { type: 'string', short: 'O', multiple: true },
  clock: { type: 'string', short: 'C' },
  buffer: { type: 'string', short: 'b' },
  'max-graph-depth': { type: 'string' },
  'min-duration': { type: 'string' },
  own: { type: 'boolean' },
  ...EVENT_OPTIONS,
} as const satisfies OptionSpecs;
/** Values of a tracer's options on a command line, and what they ask of events in their order. */
export type TracerOptionValues = OptionValues<Omit<typeof TRACER_OPTIONS, keyof typeof EVENT_OPTIONS>> & {
  readonly events?: readonly EventRequest[];
};

/** Parses the options of a verb that has these among its own. */
export function parseTracerOptions<Specs extends OptionSpecs>(args: readonly string[], specs: Specs) {
  const { values, words } = parseOptions(args, specs);
  const {
    event: _e,
    'event-filter': _f,
    trigger: _r,
    invert: _v,
    ...others
  } = values as OptionValues<Specs & typeof EVENT_OPTIONS>;
  const events = eventRequests(args, specs);
  return { values: { ...others, ...(events.length > 0 && { events }) }, words };
}

/** What --help says of them. */
export const TRACER_HELP = `  -p TRACER              function or function_graph (the default); nop for events alone
  -l FUNC                trace only functions that match; * ? [] as in a shell,
                         :mod:PACKAGE for the functions of a package; may be repeated
  -n FUNC                leave out functions that match; may be repeated
  -g FUNC                graph only what this function calls; may be repeated
  -O OPTION              a trace option, such as funcgraph-args or nofuncgraph-irqs
  -C CLOCK               the clock of the events' times: mono, counter, tsc2nsec ...
  -b KB                  size of each thread's buffer
  --max-graph-depth N    graph no deeper than N calls
  --min-duration TIME    graph only calls that take longer: 100us, 5ms, 1s; the recording then has
                         only their ends
  --own                  only functions of the application's own package; -l chooses among them
${EVENT_HELP}`;

/** A filter's words for functions that belong to no other package. */
const OWN = ':mod:!*';

/** What -l and --own select, as words of set_ftrace_filter; undefined when all functions are traced. */
export function selectedFunctions({ function: words, own }: TracerOptionValues): readonly string[] | undefined {
  if (!own) return words;
  const other = words?.find((word) => word.includes(':'));
  if (other !== undefined) throw new UsageError(`--own selects the application's package: '-l ${other}' names another one`);
  return (words ?? ['*']).map((word) => `${word}${OWN}`);
}

/** Microseconds in each unit. */
const DURATION_UNITS: Readonly<Record<string, number>> = { '': 1, us: 1, ms: 1000, s: 1_000_000 };

/** What --min-duration says, in microseconds as tracing_thresh has them. UsageError if it is not possible. */
export function minDuration(options: TracerOptionValues): number | undefined {
  const { 'min-duration': text } = options;
  if (text === undefined) return undefined;
  const tracer = tracerOf(options);
  const [, digits, unit = ''] = /^(\d{1,9})(us|ms|s)?$/.exec(text) ?? [];
  const microseconds = Number(digits) * DURATION_UNITS[unit]!;
  if (!(microseconds > 0 && microseconds < 1e9))
    throw new UsageError(`--min-duration must be a time like 100us or 5ms, not '${text}'`);
  if (tracer !== DEFAULT_TRACER)
    throw new UsageError(`--min-duration: only function_graph knows how long a call takes, not ${tracer}`);
  return microseconds;
}

/** The tracer when -p names none. */
export const DEFAULT_TRACER = 'function_graph';

/** Options that ask for functions. */
const OF_FUNCTIONS = ['function', 'notrace', 'graph', 'max-graph-depth', 'min-duration', 'own'] as const;

/** The tracer: what -p names; for events alone none, as in trace-cmd. */
export function tracerOf(options: TracerOptionValues, fallback: string = DEFAULT_TRACER): string {
  const isOfEvents = options.events !== undefined && OF_FUNCTIONS.every((name) => options[name] === undefined);
  return options.tracer ?? (isOfEvents ? 'nop' : fallback);
}
