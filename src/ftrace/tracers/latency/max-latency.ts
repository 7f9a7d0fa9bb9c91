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
  /** Its priority in the kernel's numbers: 120 for a normal task, below 100 for real time, 255 for a deadline. */
  readonly prio: number;
  /** The task that woke it; 0: none, or the clock. */
  readonly waker: number;
}

const LATENCY = 0;
const THRESHOLD = 1;
const START = 2;
const RECORDED = 3;
const STARTED_AT = 4;
const ENDED_AT = 5;
const DOUBLES = 6;
/** Words behind the doubles. */
const LOCK = DOUBLES * 2;
const CPU = LOCK + 1;
const PID = LOCK + 2;
const WAKER = LOCK + 3;
const PRIO = LOCK + 4;
const SEQUENCE = LOCK + 5;
const WORDS = LOCK + 6;

/** How often a thread checks whether another one is done; a terminated thread is done only after `threadEnded()`. */
const PATIENCE = 100_000;
/**
 * The holder of the lock: none, a cpu's thread (its number is added), or one that holds it for a moment in which no thread can
 * end.
 */
const FREE = 0;
const FIRST_CPU = 1;
const MOMENTARILY = -1;

/**
 * tracing_max_latency and tracing_thresh of an instance, in memory that all threads share: each thread compares with the common
 * maximum, and a write to the files takes effect at once.
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

  /** Whether a latency must be kept (report_latency). */
  reports(ns: number): boolean {
    const threshold = this.#doubles[THRESHOLD]!;
    return threshold !== 0 ? ns >= threshold : ns > this.#doubles[LATENCY]!;
  }

  /**
   * Waits until no other thread keeps a latency, then keeps this one if it is still large enough.
   * @param keep makes its trace the snapshot; returns false if it could not
   */
  report(record: LatencyRecord, keep: () => boolean): boolean {
    if (!this.reports(record.latency) || !this.#lock(FIRST_CPU + record.cpu)) return false;
    try {
      if (!this.reports(record.latency) || !keep()) return false;
      this.#write(record);
      return true;
    } finally {
      this.#unlock();
    }
  }

  /** The thread of a cpu has ended, perhaps in the middle of `report()`. */
  threadEnded(cpu: number): void {
    Atomics.compareExchange(this.#words, LOCK, FIRST_CPU + cpu, FREE);
  }

  /** Raises the maximum without a trace, as hwlat does. */
  raise(ns: number): void {
    if (ns <= this.value || !this.#lock(MOMENTARILY)) return;
    if (ns > this.#doubles[LATENCY]!) this.#doubles[LATENCY] = ns;
    this.#unlock();
  }

  /** Numbers the samples of hwlat, from 1 on. */
  nextSequence(): number {
    return Atomics.add(this.#words, SEQUENCE, 1) + 1;
  }

  /** What the snapshot shows; undefined before the first. */
  get record(): LatencyRecord | undefined {
    const doubles = this.#doubles;
    const words = this.#words;
    const locked = this.#lock(MOMENTARILY);
    const record = {
      latency: doubles[RECORDED]!,
      start: doubles[START]!,
      cpu: words[CPU]!,
      pid: words[PID]!,
      startedAt: doubles[STARTED_AT]!,
      endedAt: doubles[ENDED_AT]!,
      prio: words[PRIO]!,
      waker: words[WAKER]!,
    };
    if (locked) this.#unlock();
    return record.latency === 0 ? undefined : record;
  }

  /** The trace of the maximum is gone. */
  forget(): void {
    this.#doubles[RECORDED] = 0;
  }

  #write({ latency, start, cpu, pid, startedAt, endedAt, prio, waker }: LatencyRecord): void {
    const words = this.#words;
    words[CPU] = cpu;
    words[PID] = pid;
    words[PRIO] = prio;
    words[WAKER] = waker;
    this.#doubles[STARTED_AT] = startedAt;
    this.#doubles[ENDED_AT] = endedAt;
    this.#doubles[START] = start;
    this.#doubles[RECORDED] = latency;
    this.#doubles[LATENCY] = latency;
  }

  #lock(holder: number): boolean {
    for (let i = 0; i < PATIENCE; i++) if (Atomics.compareExchange(this.#words, LOCK, FREE, holder) === FREE) return true;
    return false;
  }

  #unlock(): void {
    Atomics.store(this.#words, LOCK, FREE);
  }
}
