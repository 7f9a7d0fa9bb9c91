import { TRACERS, type TracerName, type TracerOptionName } from './tracers/tracers.js';

/** Whose option it is: of every tracer, or of one. */
export type OptionOwner = 'core' | TracerName;

/** An option and its fixed properties. */
interface OptionFacts {
  readonly name: string;
  readonly value: boolean;
  /** The owner; `trace_options` lists a tracer's own options only while it is the current one. */
  readonly owner: OptionOwner;
  /** Whether the option belongs to the whole process: instances have no file for it. */
  readonly topOnly?: true;
  /** Why it cannot be set to the opposite of its default; absent when it can. */
  readonly refused?: string;
}

const NO_USER_SPACE = 'a JavaScript process has no user space below it';

const CORE = [
  { name: 'print-parent', value: true, owner: 'core' },
  { name: 'sym-offset', value: false, owner: 'core' },
  { name: 'sym-addr', value: false, owner: 'core' },
  { name: 'verbose', value: false, owner: 'core' },
  { name: 'raw', value: false, owner: 'core' },
  { name: 'hex', value: false, owner: 'core' },
  { name: 'bin', value: false, owner: 'core' },
  { name: 'block', value: false, owner: 'core' },
  { name: 'trace_printk', value: true, owner: 'core', topOnly: true },
  { name: 'annotate', value: true, owner: 'core' },
  { name: 'userstacktrace', value: false, owner: 'core', refused: NO_USER_SPACE },
  { name: 'sym-userobj', value: false, owner: 'core', refused: NO_USER_SPACE },
  { name: 'printk-msg-only', value: false, owner: 'core', topOnly: true },
  { name: 'context-info', value: true, owner: 'core' },
  { name: 'latency-format', value: false, owner: 'core' },
  { name: 'record-cmd', value: true, owner: 'core', topOnly: true },
  { name: 'record-tgid', value: false, owner: 'core' },
  { name: 'overwrite', value: true, owner: 'core' },
  { name: 'disable_on_free', value: false, owner: 'core' },
  { name: 'irq-info', value: true, owner: 'core' },
  { name: 'markers', value: true, owner: 'core' },
  { name: 'event-fork', value: false, owner: 'core' },
  { name: 'pause-on-trace', value: false, owner: 'core' },
  { name: 'hash-ptr', value: true, owner: 'core', refused: 'no event prints a pointer' },
  { name: 'function-trace', value: true, owner: 'core' },
  { name: 'function-fork', value: false, owner: 'core' },
  { name: 'display-graph', value: false, owner: 'core' },
  { name: 'stacktrace', value: false, owner: 'core' },
  { name: 'async-context', value: false, owner: 'core', topOnly: true },
  { name: 'patch-at-once', value: false, owner: 'core', topOnly: true },
  { name: 'places', value: false, owner: 'core' },
] as const satisfies readonly OptionFacts[];

/** The name of an option. */
export type OptionName = (typeof CORE)[number]['name'] | TracerOptionName;
/** The value of every option. */
export type OptionFlags = Readonly<Record<OptionName, boolean>>;

/** An option of `trace_options`. */
export type OptionRow = OptionFacts & { readonly name: OptionName };

/** In the kernel's order: its tracers are registered from the last one on. */
const OF_TRACERS = TRACERS.toReversed().flatMap((tracer) =>
  'options' in tracer ? tracer.options.map((option): OptionRow => ({ ...option, owner: tracer.name })) : [],
);

/** The flags of `trace_options` and the files of `options/`, with the kernel's names, order and defaults. */
export const TRACE_OPTIONS: readonly OptionRow[] = [...CORE, ...OF_TRACERS];

/** What a fresh instance has. */
export const DEFAULT_OPTIONS: OptionFlags = Object.fromEntries(
  TRACE_OPTIONS.map(({ name, value }) => [name, value]),
) as OptionFlags;

const byName = new Map(TRACE_OPTIONS.map((row) => [row.name as string, row]));

/** The row of an option, or undefined when there is none of that name. */
export const traceOption = (name: string): (typeof TRACE_OPTIONS)[number] | undefined => byName.get(name);

/** The text of `trace_options` while `tracer` is current. */
export function traceOptionsFile(options: OptionFlags, tracer: string): string {
  return TRACE_OPTIONS.filter(({ owner }) => owner === 'core' || owner === tracer)
    .map(({ name }) => `${options[name] ? '' : 'no'}${name}\n`)
    .join('');
}
