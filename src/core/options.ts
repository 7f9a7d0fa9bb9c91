/** Whose option it is: of every tracer, or of one. */
export type OptionOwner = 'core' | 'nop' | 'function' | 'function_graph';

/** An option and what is fixed about it. */
interface OptionFacts {
  readonly name: string;
  readonly value: boolean;
  /** The tracer whose option it is; `trace_options` lists a tracer's own only while it is the current one. */
  readonly owner: OptionOwner;
  /** Set for the whole process: instances have no file for it. */
  readonly topOnly?: true;
  /** Why it cannot be set to the opposite of its default; absent when it can. */
  readonly refused?: string;
}

const NO_USER_SPACE = 'a JavaScript process has no user space below it';

const rows = [
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
  { name: 'test_nop_accept', value: false, owner: 'nop' },
  { name: 'test_nop_refuse', value: false, owner: 'nop', refused: 'made to be refused' },
  { name: 'func_stack_trace', value: false, owner: 'function' },
  { name: 'func-no-repeats', value: false, owner: 'function' },
  { name: 'func-args', value: false, owner: 'function' },
  { name: 'funcgraph-overrun', value: false, owner: 'function_graph' },
  { name: 'funcgraph-cpu', value: true, owner: 'function_graph' },
  { name: 'funcgraph-overhead', value: true, owner: 'function_graph' },
  { name: 'funcgraph-proc', value: false, owner: 'function_graph' },
  { name: 'funcgraph-duration', value: true, owner: 'function_graph' },
  { name: 'funcgraph-abstime', value: false, owner: 'function_graph' },
  { name: 'funcgraph-irqs', value: true, owner: 'function_graph' },
  { name: 'funcgraph-tail', value: false, owner: 'function_graph' },
  { name: 'funcgraph-retval', value: false, owner: 'function_graph' },
  { name: 'funcgraph-args', value: false, owner: 'function_graph' },
  { name: 'sleep-time', value: true, owner: 'function_graph' },
  { name: 'graph-time', value: true, owner: 'function_graph' },
] as const satisfies readonly OptionFacts[];

/** The name of an option. */
export type OptionName = (typeof rows)[number]['name'];
/** The value of every option. */
export type OptionFlags = Readonly<Record<OptionName, boolean>>;

/** An option of `trace_options`. */
export type OptionRow = OptionFacts & { readonly name: OptionName };

/** The flags of `trace_options` and the files of `options/`, with the kernel's names, order and defaults. */
export const TRACE_OPTIONS: readonly OptionRow[] = rows;

/** What a fresh instance has. */
export const DEFAULT_OPTIONS: OptionFlags = Object.fromEntries(rows.map(({ name, value }) => [name, value])) as OptionFlags;

const byName = new Map(TRACE_OPTIONS.map((row) => [row.name as string, row]));

/** The row of an option, or undefined when there is none of that name. */
export const traceOption = (name: string): (typeof TRACE_OPTIONS)[number] | undefined => byName.get(name);

/** The text of `trace_options` while `tracer` is current. */
export function traceOptionsFile(options: OptionFlags, tracer: string): string {
  return TRACE_OPTIONS.filter(({ owner }) => owner === 'core' || owner === tracer)
    .map(({ name }) => `${options[name] ? '' : 'no'}${name}\n`)
    .join('');
}
