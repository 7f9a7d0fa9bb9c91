import { fileURLToPath } from 'node:url';
import { decodeRequests, type EventRequest } from '../events/event-request.js';
import { TRACER_NAMES } from '../ftrace/tracers/tracers.js';
import { parseIdentity } from '../recording/process-identity.js';
import type { BootInstance, DumpOnOops, Parameters } from './parameters.js';

/** A parameter that could not be used, and why. */
export interface ParameterError {
  readonly parameter: string;
  readonly message: string;
}

/** @param value undefined when there is no equals sign */
type Parser = (value: string | undefined) => unknown;
type ValueParser = (value: string) => unknown;

/** Thrown by the parsers below; the message says what is allowed. */
class BadValue extends Error {}

const word: ValueParser = (value) => {
  if (value === '') throw new BadValue('needs a value');
  return value;
};

const path: ValueParser = (value) => {
  if (!value.startsWith('file:')) return word(value);
  try {
    return fileURLToPath(value);
  } catch {
    throw new BadValue('must be a path or a file: URL');
  }
};

const oneOf =
  (...known: readonly string[]): ValueParser =>
  (value) => {
    if (!known.includes(value)) throw new BadValue(`must be one of ${known.join(', ')}`);
    return value;
  };

const list: ValueParser = (value) => {
  const words = value.split(',').filter((one) => one !== '');
  if (words.length === 0) throw new BadValue('needs a value: words separated by commas');
  return words;
};

/** Probes, with commas in place of blanks, and semicolons between them. */
const probeLines: ValueParser = (value) => {
  const lines = value.split(';').flatMap((line) => (line === '' ? [] : [line.replaceAll(',', ' ')]));
  if (lines.length === 0) throw new BadValue('needs a value: the lines of probes');
  return lines;
};

const wholeNumber: ValueParser = (value) => {
  if (!/^\d{1,9}$/.test(value)) throw new BadValue('must be a whole number');
  return Number(value);
};

const SIZE_UNITS: Readonly<Record<string, number>> = { '': 1, k: 2 ** 10, m: 2 ** 20, g: 2 ** 30 };

/** memparse() of the kernel: bytes, or with K, M or G after them. */
const memparse = (value: string): number => {
  const [, digits, unit = ''] = /^(\d{1,12})([kmg]?)$/i.exec(value) ?? [];
  return digits === undefined ? Number.NaN : Number(digits) * SIZE_UNITS[unit.toLowerCase()]!;
};

const bytes: ValueParser = (value) => {
  const size = memparse(value);
  if (!(size > 0 && size <= 2 ** 32)) throw new BadValue('must be a size like 4096K or 8M, up to 4G');
  return size;
};

const anyBytes: ValueParser = (value) => {
  const size = memparse(value);
  if (Number.isNaN(size)) throw new BadValue('must be a size like 4096K or 8M');
  return size;
};

const identity: ValueParser = (value) => {
  const known = parseIdentity(value);
  if (known === undefined) throw new BadValue('must be a pid, its start and its namespace, separated by commas');
  return known;
};

/** A parameter that needs no value; `0` and `off` turn it off. */
const flag: Parser = (value = '1') => {
  if (!/^([01]|on|off)?$/.test(value)) throw new BadValue('must have no value, or 0 or 1');
  return value !== '0' && value !== 'off';
};

const DUMP_CPUS: Readonly<Record<string, boolean>> = { '1': false, all: false, '2': true, orig_cpu: true };

/** Parses ftrace_dump_on_oops: without a value, or with the kernel's value, a file: URL, or both. */
const dumpOnOops: Parser = (value = 'all') => {
  let isOrigCpu = false;
  let file: string | undefined;
  for (const part of value.split(',')) {
    if (part.startsWith('file:')) file = path(part.replaceAll('%p', '%25p')) as string;
    else if (Object.hasOwn(DUMP_CPUS, part)) isOrigCpu = DUMP_CPUS[part]!;
    else throw new BadValue('must be orig_cpu, a file: URL, or both separated by a comma; or have no value');
  }
  return { isOrigCpu, ...(file === undefined ? {} : { file }) } satisfies DumpOnOops;
};

/** Words as in set_event, with globs too; `!` before one leaves out events that words before it name. */
const eventList: ValueParser = (value) => (list(value) as readonly string[]).map(eventWord);

const eventWord = (text: string): EventRequest =>
  text.startsWith('!') ? { pattern: text.slice(1), enable: false } : { pattern: text, enable: true };

/** `EVENT.TRIGGER[ if FILTER]`, several with commas between them: a name alone, whatever the system (setup_trace_triggers). */
const triggerList: ValueParser = (value) =>
  (list(value) as readonly string[]).map((text): EventRequest => {
    const dot = text.indexOf('.');
    if (dot <= 0 || dot === text.length - 1) throw new BadValue('must be EVENT.TRIGGER, such as sched_switch.stacktrace');
    return { pattern: `:${text.slice(0, dot)}`, triggers: [text.slice(dot + 1)] };
  });

const requests: ValueParser = (value) => {
  const decoded = decodeRequests(value);
  if (decoded === undefined) throw new BadValue('must be what fentry record and fentry stat pass on');
  return decoded;
};

/** Events of the instance may follow its name, as words of trace_event. */
const instanceName: ValueParser = (value): readonly BootInstance[] => {
  const [name = '', ...events] = value.split(',');
  return [{ name: word(name) as string, events: events.filter((text) => text !== '').map(eventWord) }];
};

const needed =
  (parse: ValueParser): Parser =>
  (value) => {
    if (value === undefined) throw new BadValue('needs a value');
    return parse(value);
  };

const PARSERS = {
  ftrace: needed(oneOf(...TRACER_NAMES)),
  ftrace_filter: needed(list),
  ftrace_notrace: needed(list),
  ftrace_graph_filter: needed(list),
  ftrace_graph_notrace: needed(list),
  ftrace_graph_max_depth: needed(wholeNumber),
  max_text_size: needed(wholeNumber),
  trace_buf_size: needed(bytes),
  trace_options: needed(list),
  tracing_thresh: needed(wholeNumber),
  trace_clock: needed(word),
  ftrace_dump_on_oops: dumpOnOops,
  traceoff_on_warning: flag,
  tp_printk: flag,
  trace_instance: needed(instanceName),
  trace_event: needed(eventList),
  trace_trigger: needed(triggerList),
  kprobe_event: needed(probeLines),
  script: needed(path),
  native: flag,
  alloc_snapshot: flag,
  stacktrace: flag,
  slow_ms: needed(wholeNumber),
  livepatch_follow: needed(word),
  stacktrace_filter: needed(list),
  instrument: needed(list),
  statement_sites: needed(list),
  module_sites: flag,
  handles: flag,
  record: needed(path),
  record_events: needed(requests),
  record_size: needed(anyBytes),
  record_cpu_size: needed(anyBytes),
  recorder: needed(identity),
  stat: needed(path),
  stat_events: needed(requests),
  stat_functions: needed(list),
} as const satisfies Readonly<Record<keyof Parameters, Parser>>;

/** The kernel's other tracing parameters, and why they have no meaning here. */
const REFUSED: Readonly<Record<string, string>> = {
  tp_printk_stop_on_boot: 'a program has no end of its boot; write 0 to tracepoint_printk when it is time',
  ftrace_boot_snapshot: 'a program has no end of its boot; write 1 to snapshot when it is time',
  traceoff_after_boot: 'a program has no end of its boot; write 0 to tracing_on when it is time',
  boot_snapshot: 'a program has no end of its boot; write 1 to snapshot when it is time',
};

/** Names that the parser knows, in the order of the documentation. */
const PARAMETER_NAMES = Object.keys(PARSERS) as readonly (keyof Parameters)[];

/** Parameters that may stand several times, each time with further values. */
const REPEATED: ReadonlySet<string> = new Set<keyof Parameters>([
  'trace_instance',
  'trace_event',
  'trace_trigger',
  'kprobe_event',
]);

/**
 * The words of a command line; a quote hides blanks, and goes if it is at an end of a word or of a value (next_arg in
 * lib/cmdline.c).
 */
const parameterWords = (text: string): readonly string[] =>
  (text.match(/(?:"[^"]*(?:"|$)|[^\s"])+/g) ?? []).map((one) => one.replace(/^"|"$/g, '').replace(/^([^="]*=)"/, '$1'));

/**
 * Reads FENTRY: `name=value` words, or names alone, separated by white space, which a value between double quotes may have. A bad
 * word is left out and reported; the others take effect.
 */
export function parseParameters(text: string): { parameters: Parameters; errors: readonly ParameterError[] } {
  const parameters: Record<string, unknown> = {};
  const errors: ParameterError[] = [];
  for (const parameter of parameterWords(text)) {
    const equals = parameter.indexOf('=');
    const name = equals < 0 ? parameter : parameter.slice(0, equals);
    if (Object.hasOwn(REFUSED, name)) {
      errors.push({ parameter, message: REFUSED[name]! });
      continue;
    }
    if (!Object.hasOwn(PARSERS, name)) {
      errors.push({ parameter, message: `unknown parameter; known are ${PARAMETER_NAMES.join(', ')}` });
      continue;
    }
    try {
      const value = PARSERS[name as keyof Parameters](equals < 0 ? undefined : parameter.slice(equals + 1));
      const before = parameters[name];
      parameters[name] = REPEATED.has(name) ? [...((before as unknown[]) ?? []), ...(value as unknown[])] : value;
    } catch (error) {
      errors.push({ parameter, message: (error as Error).message });
    }
  }
  return { parameters: parameters as Parameters, errors };
}
