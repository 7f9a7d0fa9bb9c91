import type { LatencyRecord, MaxLatency } from '../../../ftrace/tracers/latency/max-latency.js';
import type { EntryFunction } from '../entry.js';
import type { TurnSource } from './turns.js';
import type { WakeupClass, WakeupSource } from './wakeups.js';

/** The classes whose waits each wakeup tracer measures. */
export const WAKEUP_CLASSES = {
  wakeup: ['normal', 'rt', 'dl'],
  wakeup_rt: ['rt', 'dl'],
  wakeup_dl: ['dl'],
} as const satisfies Readonly<Record<string, readonly WakeupClass[]>>;

export type WakeupTracerName = keyof typeof WAKEUP_CLASSES;

/** A latency tracer on one thread. */
export interface LatencyTracer {
  /** What it does at a function's entry: its ops' callback. */
  readonly entry: EntryFunction;
  /** Begins to measure. */
  start(max: KeptMaximum): void;
  stop(): void;
  /** The running turn is fentry's own work, not a latency of the program. */
  discard(): void;
  /** Records the stack if what is measured began at `since`, and still runs. */
  look?(since: number): void;
}

/** The maximum of the thread, and where it keeps its trace. */
export interface KeptMaximum {
  readonly max: MaxLatency;
  /** Keeps a latency with the events in the buffer since it began, if it is long enough. Returns false if it is not kept. */
  keep(record: LatencyRecord): boolean;
}

/** What the latency tracers need from their thread besides its buffer. */
export interface LatencyNeeds {
  /** The cpu of the thread. */
  readonly cpu: number;
  readonly turns: TurnSource;
  /** The callbacks that these are made of. */
  readonly callbacks: TurnSource;
  readonly wakeups: WakeupSource;
  /** The address (text-region.ts) of something of Node's own, by its name. */
  addressOf(name: string): number;
  /** Makes a task's name known. */
  nameTask(pid: number, comm: string): void;
}
