import { type LatencyRecord, MaxLatency } from '../../ftrace/tracers/latency/max-latency.js';
import { createSnapshotMemory, loadSnapshot, type RingBufferSnapshot } from '../../ring-buffer/index.js';

/** The configuration of a thread's latency tracer. */
export interface ThreadMaximum {
  /** Grows by one when a tracer starts. */
  readonly measurement: number;
  readonly max: SharedArrayBuffer;
  readonly trace: SharedArrayBuffer;
}

/** The longest latency with its trace. */
export interface LatencyTrace {
  readonly record: LatencyRecord;
  readonly snapshot: RingBufferSnapshot;
}

/**
 * The maximum of an instance's latency tracers (max_latency, max_buffer): the number, and for each thread memory for the trace
 * of its own longest latency, of which the longest is shown.
 */
export class MaxTrace {
  #latency = new MaxLatency();
  readonly #traces = new Map<number, SharedArrayBuffer>();
  #measurement = 0;
  #pages = 0;
  #subbufBytes = 0;
  /** tracing_max_latency as it was written last, with bits that the threads' double cannot hold. */
  #written = 0n;

  /** A tracer begins. Its traces may be as long as buffers with so many pages. */
  restart(pages: number, subbufBytes: number): void {
    const { threshold } = this.#latency;
    // Threads that still run another tracer keep the old memory, and can disturb nothing.
    this.#latency = new MaxLatency();
    this.#latency.threshold = threshold;
    this.#measurement++;
    this.resize(pages, subbufBytes);
  }

  /** Traces may have another length from now on; what was kept is gone. */
  resize(pages: number, subbufBytes: number): void {
    this.#traces.clear();
    this.#pages = pages;
    this.#subbufBytes = subbufBytes;
    this.#latency.forget();
  }

  /** tracing_max_latency and tracing_thresh, as the threads see them. */
  get latency(): MaxLatency {
    return this.#latency;
  }

  /** tracing_max_latency in nanoseconds: 64 bits. */
  get nanoseconds(): bigint {
    const { value } = this.#latency;
    return value === Number(this.#written) ? this.#written : BigInt(Math.floor(value));
  }

  set nanoseconds(ns: bigint) {
    this.#written = ns;
    this.#latency.value = Number(ns);
  }

  /** Lets the traces go. */
  free(): void {
    this.#traces.clear();
    this.latency.forget();
  }

  /** Takes the trace away, or leaves it when it is another cpu's. */
  clear(cpu?: number): void {
    if (cpu === undefined || cpu === this.latency.record?.cpu) this.latency.forget();
  }

  /** What the thread on `cpu` is told. */
  of(cpu: number): ThreadMaximum {
    let trace = this.#traces.get(cpu);
    if (trace === undefined) {
      trace = createSnapshotMemory(this.#pages, this.#subbufBytes);
      this.#traces.set(cpu, trace);
    }
    return { measurement: this.#measurement, max: this.#latency.memory, trace };
  }

  /** The trace of the longest latency, or undefined when there is none. */
  trace(): LatencyTrace | undefined {
    const { record } = this.latency;
    const memory = record && this.#traces.get(record.cpu);
    const snapshot = memory && loadSnapshot(memory);
    return record && snapshot && { record, snapshot };
  }
}
