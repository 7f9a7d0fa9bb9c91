import type { PerformanceObserver as Observer } from 'node:perf_hooks';
import { setImmediate_ as setImmediate, DateNow as wallClock } from '../../base/primordials.js';
import { type Interruptions, writeHwlat } from '../../ftrace/tracers/hwlat/hwlat-record.js';
import { type GapSample, sampleGaps } from '../../ftrace/tracers/hwlat/sample-gaps.js';
import { MaxLatency } from '../../ftrace/tracers/latency/max-latency.js';
import type { RecordWriter } from '../../ftrace/tracers/record-writer.js';
import { type TracerName, tracerNamed } from '../../ftrace/tracers/tracers.js';
import type { SampleRequest } from '../../port/port.js';
import { traceClock } from '../../ring-buffer/clock.js';
import { unharmed } from '../async/unharmed.js';

const MS = 1e6;
const US = 1e3;

interface Pause {
  readonly startTime: number;
  readonly duration: number;
}

/** Reports the pauses of the garbage collector while it is on, some turns of the event loop after each pause. */
class GcPauses {
  readonly #observer: Observer;
  #entries: Pause[] = [];

  constructor() {
    this.#observer = new PerformanceObserver((list) => this.#entries.push(...list.getEntries()));
  }

  start(): void {
    this.#entries = [];
    this.#observer.observe({ entryTypes: ['gc'] });
  }

  /** Interruptions between two times of performance.now(). */
  stop(from: number, to: number): Interruptions {
    this.#entries.push(...this.#observer.takeRecords());
    this.#observer.disconnect();
    const within = this.#entries.filter(({ startTime }) => startTime >= from && startTime <= to);
    const total = within.reduce((sum, { duration }) => sum + duration, 0);
    return { count: within.length, totalUs: Math.floor(total * (MS / US)) };
  }
}

/**
 * The hwlat tracer on a program's thread: spins for the given time; nothing else runs on the thread during that time, as on the
 * CPU of the kernel's sampler.
 */
export class GapSampler {
  readonly #pid: number;
  readonly #writer: () => RecordWriter | undefined;
  #pauses: GcPauses | undefined;
  #asked: SampleRequest | undefined;
  #isQueued = false;

  /** @param writer of the thread's buffer at the top level, once it has one */
  constructor(pid: number, writer: () => RecordWriter | undefined) {
    this.#pid = pid;
    this.#writer = writer;
  }

  /**
   * Samples when the event loop comes round; the control thread's messages can interrupt it. All requests until then make one
   * sample: a tracer that is switched on and off makes many requests.
   */
  sample(request: SampleRequest): void {
    if (!this.#isQueued) {
      this.#isQueued = true;
      const run = unharmed(() => {
        const asked = this.#asked;
        this.#isQueued = false;
        this.#asked = undefined;
        if (asked !== undefined) this.#spin(asked);
      });
      setImmediate(run).unref();
    }
    this.#asked = request;
  }

  /** Another tracer starts, which may not sample. */
  startsTracer(name: TracerName): void {
    if (!tracerNamed(name).samples) this.cancel();
  }

  /** Cancels a sample that has not begun. */
  cancel(): void {
    this.#asked = undefined;
  }

  #spin({ widthUs, thresholdUs, max }: SampleRequest): void {
    const pauses = (this.#pauses ??= new GcPauses());
    pauses.start();
    const from = performance.now();
    const sample = sampleGaps(traceClock, wallClock() * MS - traceClock(), widthUs, thresholdUs);
    const to = performance.now();
    // Node reports pauses by an immediate, which is queued by now.
    const record = unharmed(() => this.#record(sample, pauses.stop(from, to), new MaxLatency(max)));
    setImmediate(() => setImmediate(record));
  }

  #record(sample: GapSample | undefined, interruptions: Interruptions, max: MaxLatency): void {
    const writer = this.#writer();
    if (sample === undefined || writer === undefined) return;
    if (!writeHwlat(writer, this.#pid, max.nextSequence(), sample, interruptions)) return;
    max.raise(Math.max(sample.inner, sample.outer) * US);
  }
}
