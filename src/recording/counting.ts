/** A write into a control file of an instance that counts. */
export interface CountingWrite {
  readonly path: string;
  readonly text: string;
}

/**
 * A trigger that counts an event without a record: a table with an entry for each thread, of the least size that there is.
 * @param filter only events for which it holds are counted
 */
export const countingTrigger = (filter?: string): string =>
  `hist:keys=common_cpu:size=128${filter === undefined ? '' : ` if ${filter}`}`;

/**
 * What makes an instance count the calls of functions: its buffers keep only the last of them, and their statistics count all.
 */
export const functionWrites = (word: string): readonly CountingWrite[] => [
  { path: 'buffer_size_kb', text: '1' },
  // An instance begins with the options of the top level.
  { path: 'options/overwrite', text: '1' },
  { path: 'options/func_stack_trace', text: '0' },
  { path: 'set_ftrace_filter', text: word },
  { path: 'current_tracer', text: 'function' },
];

/** What a counting trigger has counted. */
export interface EventCount {
  /** What stands behind the trigger's `if`; undefined without one. */
  readonly filter: string | undefined;
  readonly count: number;
}

const TABLE =
  /^# trigger info: hist:keys=common_cpu:vals=hitcount:sort=hitcount:size=128(?: if (.*))? \[\w+\]$[\s\S]*?^ {4}Hits: (\d+)$[\s\S]*?^ {4}Dropped: (\d+)$/gm;

/** Reads the `hist` file of an event: the counts of its counting triggers. */
export const countsInHist = (text: string): readonly EventCount[] =>
  Array.from(text.matchAll(TABLE), ([, filter, hits, dropped]) => ({ filter, count: Number(hits) + Number(dropped) }));

/** The statistics whose sum is all records that were ever made. */
const MADE = /^(?:entries|overrun|commit overrun|dropped events|read events): (\d+)$/gm;

/** Reads `per_cpu/cpuN/stats`: how many records were made. */
export const recordsInStats = (text: string): number =>
  Array.from(text.matchAll(MADE)).reduce((sum, [, records]) => sum + Number(records), 0);

/** The name of an event's row in a table of counts. */
export const eventRow = (system: string, event: string, filter: string | undefined): string =>
  `${system}:${event}${filter === undefined ? '' : ` if ${filter}`}`;
