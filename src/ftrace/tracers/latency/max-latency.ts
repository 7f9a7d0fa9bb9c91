/** The trace that a maximum left behind; times in nanoseconds of the trace clock. */
export interface LatencyRecord {
  readonly latency: number;
  /** When it began: what is older in the snapshot does not belong to it. */
  readonly start: number;
  readonly cpu: number;
  /** The task that had it. */
  readonly pid: number;
  /** The addresses that the header gives; 0: it gives none. */
  readonly startedAt: number;
  readonly endedAt: number;
  /** The task's priority in the kernel's numbers: 120 for a normal task, below 100 for real time, 255 for a deadline. */
  readonly prio: number;
  /** The task that woke it; 0: none, or the clock. */
  readonly waker: number;
}

/** A record as the numbers that are stored with its trace. */
export const numbersOf = (record: LatencyRecord): readonly number[] => {
  const { latency, start, cpu, pid, startedAt, endedAt, prio, waker } = record;
  return [latency, start, cpu, pid, startedAt, endedAt, prio, waker];
};

/** The record that was stored as these numbers. */
export function recordOfNumbers(numbers: readonly number[]): LatencyRecord {
  const [latency = 0, start = 0, cpu = 0, pid = 0, startedAt = 0, endedAt = 0, prio = 0, waker = 0] = numbers;
  return { latency, start, cpu, pid, startedAt, endedAt, prio, waker };
}

const LATENCY = 0;
const THRESHOLD = 1;
const RUNNING_SINCE = 2;
const DOUBLES = 3;
/** Words behind the doubles. */
const LOCK = DOUBLES * 2;
const SEQUENCE = LOCK + 1;
const WORDS = LOCK + 2;

/** How often a thread checks whether another one is done. */
const PATIENCE = 100_000;
const FREE = 0;
const HELD = 1;

/**
 * tracing_max_latency and tracing_thresh, in memory that the control thread shares: with one thread, which compares with its own
 * maximum; or with all, for hwlat, whose samples do not belong to one thread. A write to the files takes effect at once.
 */
export class MaxLatency {
  readonly memory: SharedArrayBuffer;
  readonly #doubles: Float64Array;
  readonly #words: Int32Array;

  constructor(memory: SharedArrayBuffer = new SharedArrayBuffer(WORDS * 4)) {
    this.memory = memory;
    this.#doubles = new Float64Array(memory, 0, DOUBLES);
    this.#words = new Int32Array(memory);
  }

  /** tracing_max_latency in nanoseconds. */
  get value(): number {
    return this.#doubles[LATENCY]!;
  }

  set value(ns: number) {
    this.#doubles[LATENCY] = ns;
  }

  /** tracing_thresh in nanoseconds; 0: only a new maximum counts. */
  get threshold(): number {
    return this.#doubles[THRESHOLD]!;
  }

  set threshold(ns: number) {
    this.#doubles[THRESHOLD] = ns;
  }

  /** When what is measured on the thread began, in nanoseconds of the trace clock; 0: nothing is. */
  get runningSince(): number {
    return this.#doubles[RUNNING_SINCE]!;
  }

  set runningSince(ns: number) {
    this.#doubles[RUNNING_SINCE] = ns;
  }

  /** Whether a latency must be kept (report_latency). */
  reports(ns: number): boolean {
    const threshold = this.#doubles[THRESHOLD]!;
    return threshold !== 0 ? ns >= threshold : ns > this.#doubles[LATENCY]!;
  }

  /**
   * Keeps a latency if it is large enough. Only the thread whose maximum it is calls this.
   * @param keep keeps its trace, beside those before (`isAdded`) or in their place; returns false if it could not
   */
  report(latency: number, keep: (isAdded: boolean) => boolean): boolean {
    if (!this.reports(latency) || !keep(this.threshold !== 0)) return false;
    this.value = latency;
    return true;
  }

  /** Raises the maximum without a trace, as hwlat does on any thread. */
  raise(ns: number): void {
    if (ns <= this.value || !this.#lock()) return;
    if (ns > this.#doubles[LATENCY]!) this.#doubles[LATENCY] = ns;
    Atomics.store(this.#words, LOCK, FREE);
  }

  /** Numbers the samples of hwlat, from 1 on. */
  nextSequence(): number {
    return Atomics.add(this.#words, SEQUENCE, 1) + 1;
  }

  #lock(): boolean {
    for (let i = 0; i < PATIENCE; i++) if (Atomics.compareExchange(this.#words, LOCK, FREE, HELD) === FREE) return true;
    return false;
  }
}
