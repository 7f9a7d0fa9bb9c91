/** An option of a tracer: a file of options/, and a line of trace_options while the tracer is current. */
export interface TracerOption {
  readonly name: string;
  readonly value: boolean;
  /** Why it cannot be set to the opposite of `value`; absent when it can. */
  readonly refused?: string;
}

/** The parts of a thread's TracerConfig that an option decides. */
export const SWITCHED = ['stacks', 'noRepeats', 'args', 'retval'] as const;
export type Switched = (typeof SWITCHED)[number];

/**
 * What a tracer is (struct tracer), whatever runs its callback: a port has its thread side in a table of its own.
 */
export interface Tracer {
  readonly name: string;
  /** What sites call, as enabled_functions names it; absent: it traces no functions. */
  readonly callback?: string;
  /** Whether it can be set in instances other than the top level (`allow_instances`). */
  readonly allowsInstances?: true;
  readonly options?: readonly TracerOption[];
  /** Options that it sets while it is current, and gives back. */
  readonly forces?: readonly string[];
  /** tracing_thresh while it is current, unless one is set, in nanoseconds; absent: it leaves tracing_thresh as it is. */
  readonly threshold?: bigint;
  /** The maximum that it keeps in tracing_max_latency: with the trace that led to it (`use_max_tr`), or the number alone. */
  readonly maximum?: 'trace' | 'number';
  /** Whether it takes samples of each cpu, at times that hwlat_detector/ says. */
  readonly samples?: true;
  /** How its calls are printed; absent: it records none. */
  readonly prints?: 'lines' | 'graph';
  /** The options that decide parts of the threads' configuration; the parts without one are off. */
  readonly switches?: Readonly<Partial<Record<Switched, string>>>;
  /** The columns of its calls as a graph (display-graph), whatever the options of function_graph say. */
  readonly graphColumns?: Readonly<Record<string, boolean>>;
}
