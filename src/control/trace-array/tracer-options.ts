import type { OptionFlags, OptionName } from '../../ftrace/options.js';
import { type TracerName, tracerNamed } from '../../ftrace/tracers/tracers.js';

/** What tracers change of an instance while they are current, and give back. */
export class TracerOptions {
  #saved: Partial<Record<OptionName, boolean>> = {};
  #savedThreshold = 0n;
  /** What tracing_thresh was when a tracer with a threshold of its own was left last. */
  readonly #thresholds = new Map<TracerName, bigint>();

  /** The options with those that `tracer` needs; keeps the old values. */
  enter(tracer: TracerName, options: OptionFlags): OptionFlags {
    const forced = (tracerNamed(tracer).forces ?? []) as readonly OptionName[];
    this.#saved = Object.fromEntries(forced.map((name) => [name, options[name]]));
    return { ...options, ...Object.fromEntries(forced.map((name) => [name, true])) };
  }

  /** The old options. */
  leave(options: OptionFlags): OptionFlags {
    const restored = { ...options, ...this.#saved };
    this.#saved = {};
    return restored;
  }

  /** tracing_thresh from when a tracer becomes current, in nanoseconds. */
  enterThreshold(tracer: TracerName, ns: bigint): bigint {
    const { threshold } = tracerNamed(tracer);
    this.#savedThreshold = ns;
    return threshold === undefined || ns !== 0n ? ns : (this.#thresholds.get(tracer) ?? threshold);
  }

  /** tracing_thresh as it was before. */
  leaveThreshold(tracer: TracerName, ns: bigint): bigint {
    if (tracerNamed(tracer).threshold === undefined) return ns;
    this.#thresholds.set(tracer, ns);
    return this.#savedThreshold;
  }
}
