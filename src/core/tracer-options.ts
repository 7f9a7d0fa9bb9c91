import type { TracerName } from '../tracers/tracer-config.js';
import type { OptionFlags, OptionName } from './options.js';

const WAKEUP: readonly OptionName[] = ['overwrite', 'latency-format'];

/**
 * Options that a tracer sets while it is current: a buffer that refuses new records would keep the wrong ones of a latency, and
 * one that is read while another latency occurs would show both.
 */
const FORCED: Partial<Record<TracerName, readonly OptionName[]>> = {
  irqsoff: ['overwrite', 'latency-format', 'pause-on-trace'],
  wakeup: WAKEUP,
  wakeup_rt: WAKEUP,
  wakeup_dl: WAKEUP,
};

/** tracing_thresh that hwlat has as long as nobody gives it one, in nanoseconds. */
const HWLAT_THRESHOLD = 10_000n;

/** What tracers change of an instance while they are current, and give back. */
export class TracerOptions {
  #saved: Partial<Record<OptionName, boolean>> = {};
  #savedThreshold = 0n;
  #lastThreshold = HWLAT_THRESHOLD;

  /** The options with those that `tracer` needs; remembers what they were. */
  enter(tracer: TracerName, options: OptionFlags): OptionFlags {
    const forced = FORCED[tracer] ?? [];
    this.#saved = Object.fromEntries(forced.map((name) => [name, options[name]]));
    return { ...options, ...Object.fromEntries(forced.map((name) => [name, true])) };
  }

  /** The options as they were before. */
  leave(options: OptionFlags): OptionFlags {
    const restored = { ...options, ...this.#saved };
    this.#saved = {};
    return restored;
  }

  /** tracing_thresh from when hwlat becomes current on: its last one, if there is none. */
  enterHwlat(thresholdNs: bigint): bigint {
    this.#savedThreshold = thresholdNs;
    return thresholdNs === 0n ? this.#lastThreshold : thresholdNs;
  }

  /** tracing_thresh as it was before. */
  leaveHwlat(thresholdNs: bigint): bigint {
    this.#lastThreshold = thresholdNs;
    return this.#savedThreshold;
  }
}
