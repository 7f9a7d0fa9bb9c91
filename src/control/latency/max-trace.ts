import { type LatencyRecord, MaxLatency, recordOfNumbers } from '../../ftrace/tracers/latency/max-latency.js';
import {
  createSnapshotMemory,
  forgetSnapshots,
  loadSnapshots,
  type RingBufferSnapshot,
  renewSnapshots,
} from '../../ring-buffer/index.js';

/** The configuration of a thread's latency tracer. */
export interface ThreadMaximum {
  /** Grows by one when a tracer starts. */
  readonly measurement: number;
  readonly max: SharedArrayBuffer;
  readonly trace: SharedArrayBuffer;
}

/** A latency with its trace. */
export interface LatencyTrace {
  readonly record: LatencyRecord;
  readonly snapshot: RingBufferSnapshot;
}

const endOf = ({ record: { start, latency } }: LatencyTrace): number => start + latency;

/** The one of several that has most of something; of equals the first. */
const most = <T>(all: readonly T[], of: (one: T) => number): T | undefined =>
  all.reduce<T | undefined>((best, one) => (best === undefined || of(one) > of(best) ? one : best), undefined);

/**
 * The maximum of an instance's latency tracers (max_latency, max_buffer). Each thread has its own with its trace, as each cpu has
 * its part of the kernel's max_buffer; with tracing_thresh it keeps the trace of every latency above that. `trace` shows the one
 * that the kernel's one maximum would leave: the longest of all threads, or with tracing_thresh the last.
 */
export class MaxTrace {
  /** hwlat's, and what a thread begins with. */
  #latency = new MaxLatency();
  readonly #maxima = new Map<number, MaxLatency>();
  readonly #traces = new Map<number, SharedArrayBuffer>();
  #measurement = 0;
  #pages = 0;
  #subbufBytes = 0;
  /** tracing_max_latency as it was written last, with bits that the threads' double cannot hold. */
  #written = 0n;
  /** The cpu whose trace was shown then: it is, until a thread has another maximum. */
  #shown: number | undefined;

  /** A tracer begins. Its traces may be as long as buffers with so many pages. */
  restart(pages: number, subbufBytes: number): void {
    const { threshold } = this.#latency;
    // Threads that still run another tracer keep the old memory, and can disturb nothing.
    this.#latency = new MaxLatency();
    this.#latency.threshold = threshold;
    this.#maxima.clear();
    this.#written = 0n;
    this.#measurement++;
    this.resize(pages, subbufBytes);
  }

  /** Traces may have another length from now on; what was kept is gone. */
  resize(pages: number, subbufBytes: number): void {
    this.free();
    this.#pages = pages;
    this.#subbufBytes = subbufBytes;
  }

  /** What the samples of hwlat are compared with, on all threads. */
  get latency(): MaxLatency {
    return this.#latency;
  }

  /** tracing_thresh in nanoseconds, as the threads see it. */
  get threshold(): number {
    return this.#latency.threshold;
  }

  /** What was kept stays until there is another. */
  set threshold(ns: number) {
    for (const memory of this.#traces.values()) renewSnapshots(memory);
    for (const max of this.#all()) max.threshold = ns;
  }

  /** tracing_max_latency in nanoseconds: 64 bits. */
  get nanoseconds(): bigint {
    const shown = this.threshold === 0 ? undefined : this.trace()?.record;
    const last = shown && this.#isNew(shown.cpu) ? [shown.latency] : [];
    const values = this.threshold === 0 ? this.#all().map(({ value }) => value) : [this.#latency.value];
    const value = last[0] ?? Math.max(...values);
    return value === Number(this.#written) ? this.#written : BigInt(Math.floor(value));
  }

  set nanoseconds(ns: bigint) {
    this.#shown = this.trace()?.record.cpu;
    this.#written = ns;
    for (const memory of this.#traces.values()) renewSnapshots(memory);
    for (const max of this.#all()) max.value = Number(ns);
  }

  /** Lets the traces go. */
  free(): void {
    this.#traces.clear();
    this.#shown = undefined;
  }

  /** Takes the traces away, of one cpu or of all. */
  clear(cpu?: number): void {
    for (const [of, memory] of this.#traces) if (cpu === undefined || cpu === of) forgetSnapshots(memory);
  }

  /** What the thread on `cpu` is told. */
  of(cpu: number): ThreadMaximum {
    let trace = this.#traces.get(cpu);
    if (trace === undefined) {
      trace = createSnapshotMemory(this.#pages, this.#subbufBytes);
      this.#traces.set(cpu, trace);
    }
    let max = this.#maxima.get(cpu);
    if (max === undefined) {
      max = new MaxLatency();
      max.threshold = this.threshold;
      max.value = Number(this.#written);
      this.#maxima.set(cpu, max);
    }
    return { measurement: this.#measurement, max: max.memory, trace };
  }

  /** Since when something is measured on a cpu, in nanoseconds of the trace clock; 0: nothing is. */
  runningSince(cpu: number): number {
    return this.#maxima.get(cpu)?.runningSince ?? 0;
  }

  /** The traces that the thread of a cpu keeps, oldest first: its longest latency, or with tracing_thresh every one above it. */
  traces(cpu: number): readonly LatencyTrace[] {
    const memory = this.#traces.get(cpu);
    const stored = memory === undefined ? [] : loadSnapshots(memory);
    return stored.map(({ label, snapshot }) => ({ record: recordOfNumbers(label), snapshot }));
  }

  /** The trace of the longest latency, or with tracing_thresh of the last; undefined when there is none. */
  trace(): LatencyTrace | undefined {
    const last = [...this.#traces.keys()].flatMap((cpu) => this.traces(cpu).slice(-1));
    if (this.threshold !== 0) return most(last, endOf);
    const since = last.filter(({ record }) => this.#isNew(record.cpu));
    const before = last.filter(({ record }) => record.cpu === this.#shown);
    return most([since, before, last].find((some) => some.length > 0) ?? [], ({ record }) => record.latency);
  }

  /** Whether a thread has had another maximum since one was written. */
  #isNew(cpu: number): boolean {
    return this.#maxima.get(cpu)?.value !== Number(this.#written);
  }

  #all(): readonly MaxLatency[] {
    return [this.#latency, ...this.#maxima.values()];
  }
}
