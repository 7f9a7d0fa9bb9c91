/** What a writer has for itself: made by the control thread, written by one thread, read by all. Sent by structured clone. */
export interface WriterMemory {
  /** 0 is the control thread, n + 1 cpu n. */
  readonly writer: number;
  /** The thread's counters, and its tables of aggregates. */
  readonly tables: SharedArrayBuffer;
  /** The thread's ring of output. */
  readonly output: SharedArrayBuffer;
}

/**
 * The state of a script in shared memory. The control thread makes it when the script starts, and sends it with the code. Writers
 * that are known from the start need no `addWriter`.
 */
export interface ScriptMemory {
  /** The status word, the lock, counters, and the globals that are no aggregates. */
  readonly shared: SharedArrayBuffer;
  readonly writers: readonly WriterMemory[];
}

/** How far a script is: the word that every handler reads first. */
export const STATUS = {
  /** The script's `begin` handlers run; no others. */
  STARTING: 0,
  RUNNING: 1,
  /** A handler called exit(), or its user ended it: `end` handlers run; no others. */
  ENDING: 2,
  /** Too many errors or skipped probes: `error` handlers run; no others. */
  FAILED: 3,
  /** Nothing runs. */
  ENDED: 4,
} as const;
export type ScriptStatus = keyof typeof STATUS;
