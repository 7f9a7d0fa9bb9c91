import type { OptionFlags } from '../../ftrace/options.js';
import { isLatencyTracer, type TracerName, tracerNamed } from '../../ftrace/tracers/tracers.js';
import type { TracedThreads } from '../../port/port.js';
import { traceClock } from '../../ring-buffer/index.js';
import { HwlatDetector } from '../hwlat/hwlat-detector.js';
import { HwlatSettings } from '../hwlat/hwlat-settings.js';
import { LatencyWatch } from '../latency/latency-watch.js';
import type { MaxTrace } from '../latency/max-trace.js';
import type { ControlRecords } from './control-records.js';
import { isMasked } from './cpumask.js';
import type { InstanceBuffers } from './instance-buffers.js';

/** The parts of an instance that are looked at, and that get what was found. */
interface WatchedInstance {
  readonly maximum: MaxTrace;
  readonly buffers: InstanceBuffers;
  readonly records: ControlRecords;
}

/**
 * What the control thread itself does for an instance's tracers of latencies: the samples of hwlat, and the watch for long turns.
 */
export class InstanceLatency {
  /** hwlat_detector/ */
  readonly hwlat = new HwlatSettings(() => this.#detector.restart());
  readonly #maximum: MaxTrace;
  readonly #buffers: InstanceBuffers;
  readonly #detector: HwlatDetector;
  readonly #watch: LatencyWatch;

  constructor(threads: Pick<TracedThreads, 'living'>, { maximum, buffers, records }: WatchedInstance) {
    this.#maximum = maximum;
    this.#buffers = buffers;
    this.#detector = new HwlatDetector(this.hwlat, {
      threads: () => threads.living.filter(({ cpu }) => !isMasked(buffers.cpumask, cpu)),
      latency: () => maximum.latency,
      write: (tid, comm, write) => records.write(tid, comm, write),
    });
    this.#watch = new LatencyWatch({
      threads: () => threads.living,
      runningSince: (cpu) => maximum.runningSince(cpu),
      threshold: () => maximum.threshold,
      now: traceClock,
    });
  }

  /** hwlat samples while it is the tracer, and tracing is on; turns that no function is recorded of are looked at from here. */
  update(tracer: TracerName, options: OptionFlags): void {
    const { isOn } = this.#buffers;
    if (isOn && tracerNamed(tracer).samples) this.#detector.start();
    else this.#detector.stop();
    const isBlind = isLatencyTracer(tracer) && !options['function-trace'] && this.#maximum.threshold !== 0;
    if (isOn && isBlind) this.#watch.start();
    else this.#watch.stop();
  }

  /** The instance is removed. */
  end(): void {
    this.#detector.stop();
    this.#watch.stop();
  }
}
