import { TraceError } from '../../base/errno.js';

/** A file that is read at once. */
interface Readable {
  /** `*` is one name. */
  readonly path: string;
  /** How long a process has for it. Absent: `SOON`. */
  readonly seconds?: number;
}

const SOON = 10;

/** The files of a process that the page may read. */
export const READABLE = [
  { path: 'answers/bt.json' },
  { path: 'answers/bt_locals.json' },
  { path: 'answers/handles.json', seconds: 60 },
  { path: 'answers/waiting.json', seconds: 300 },
  { path: 'available_events' },
  { path: 'available_tracers' },
  { path: 'current_tracer' },
  { path: 'dynamic_events' },
  { path: 'error_log' },
  { path: 'events/*/*/filter' },
  { path: 'events/*/*/format' },
  { path: 'events/*/*/hist' },
  { path: 'events/*/*/trigger' },
  { path: 'function_places' },
  { path: 'kprobes/lines/*' },
  { path: 'kprobes/vars/*' },
  { path: 'set_event' },
  { path: 'set_ftrace_filter' },
  { path: 'set_ftrace_notrace' },
  { path: 'set_graph_function' },
  { path: 'trace_options' },
  { path: 'tracing_on' },
] as const satisfies readonly Readable[];

/** A file that goes on as long as somebody reads it. */
interface Followed {
  readonly path: string;
  /** Present if a reader takes lines away from other readers: --read-only refuses it, and pages share one reader. */
  readonly takes?: true;
}

export const FOLLOWED = [
  { path: 'answers/slow_pipes/*' },
  { path: 'trace_pipe', takes: true },
] as const satisfies readonly Followed[];

/**
 * What a write changes, and so what gives it back. `value`: the file has one value. `words`: it has a word a line. `system`: it
 * stands for those of all events of a system. `trigger`: a line is added, or with `!` removed.
 */
export type WriteKind = 'value' | 'words' | 'system' | 'trigger';

interface Writable {
  readonly path: string;
  readonly kind: WriteKind;
  /** The texts that may be written. Absent: any line. */
  readonly text?: RegExp;
}

const SWITCH = /^[01]$/;

/** The files that the page may write. */
export const WRITABLE = [
  { path: 'current_tracer', kind: 'value' },
  { path: 'tracing_on', kind: 'value', text: SWITCH },
  { path: 'options/*', kind: 'value', text: SWITCH },
  { path: 'set_ftrace_filter', kind: 'words' },
  { path: 'set_ftrace_notrace', kind: 'words' },
  { path: 'set_graph_function', kind: 'words' },
  { path: 'events/*/enable', kind: 'system', text: SWITCH },
  { path: 'events/*/*/enable', kind: 'value', text: SWITCH },
  { path: 'events/*/*/filter', kind: 'value' },
  { path: 'events/*/*/trigger', kind: 'trigger', text: /^!?hist:/ },
] as const satisfies readonly Writable[];

/** A write to a file of the tree. */
export interface TreeWrite {
  readonly path: string;
  readonly text: string;
  /** Whether what the file has stays. */
  readonly append: boolean;
}

function isOf(path: string, pattern: string): boolean {
  const [names, wanted] = [path.split('/'), pattern.split('/')];
  return names.length === wanted.length && wanted.every((one, i) => (one === '*' ? isName(names[i]!) : one === names[i]));
}

const isName = (name: string): boolean => name !== '' && name !== '.' && name !== '..' && !name.includes('\0');

/** The milliseconds that a process has to answer with a file. TraceError EACCES for a path that is not in the table. */
export function readingTime(path: string): number {
  const found = (READABLE as readonly Readable[]).find((one) => isOf(path, one.path));
  if (found === undefined) throw new TraceError('EACCES', `the page does not read ${path}`);
  return (found.seconds ?? SOON) * 1000;
}

/** Which line of the table a followed path is. TraceError EACCES if it is none. */
export function followedAt(path: string): Followed {
  const found = (FOLLOWED as readonly Followed[]).find((one) => isOf(path, one.path));
  if (found === undefined) throw new TraceError('EACCES', `the page does not follow ${path}`);
  return found;
}

/** The kind of a write. TraceError EACCES for a path or a text that is not in the table. */
export function writeKind({ path, text }: TreeWrite): WriteKind {
  const found = (WRITABLE as readonly Writable[]).find((one) => isOf(path, one.path));
  const isLine = !/[\n\r\0]/.test(text);
  if (found === undefined || !isLine || found.text?.test(text) === false)
    throw new TraceError('EACCES', `the page does not write ${isLine ? text : 'several lines'} to ${path}`);
  return found.kind;
}
