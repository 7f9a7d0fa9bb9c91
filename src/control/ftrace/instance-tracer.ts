import { isEmptyHash } from '../../ftrace/hash.js';
import { createOps, type FtraceOps, OPS_ID } from '../../ftrace/ops.js';
import type { OptionFlags, OptionName } from '../../ftrace/options.js';
import { functionGraph } from '../../ftrace/tracers/function-graph.js';
import { SWITCHED, type Switched } from '../../ftrace/tracers/tracer.js';
import type { TracerConfig } from '../../ftrace/tracers/tracer-config.js';
import { isLatencyTracer, type TracerName, tracerNamed } from '../../ftrace/tracers/tracers.js';
import type { TracedThread } from '../../port/port.js';
import { MaxTrace } from '../latency/max-trace.js';
import { bitsOf, FunctionFilters } from './function-filters.js';

/** Whether a tracer traces functions; the latency tracers need not. */
const tracesFunctions = ({ tracer, options }: TracerSettings): boolean =>
  tracerNamed(tracer).callback !== undefined && (!isLatencyTracer(tracer) || options['function-trace']);

/** The settings of a tracer besides its functions. */
export interface TracerSettings {
  readonly tracer: TracerName;
  readonly options: OptionFlags;
  /** max_graph_depth, 0 = no limit */
  readonly maxDepth: number;
  /** tracing_thresh in nanoseconds: 64 bits; 0 = none */
  readonly threshold: bigint;
}

/** The number of the instance at the top of the tree. */
export const TOP_INSTANCE = 0;

/** The tracer of one instance: what it traces, and how each thread is told. */
export class InstanceTracer {
  readonly instance: number;
  readonly filters = new FunctionFilters();
  /** tracing_max_latency, and the trace of the maximum. */
  readonly maximum = new MaxTrace();
  settings: TracerSettings;
  /** TracerConfig.ignoredBit */
  ignoredBit = 0;
  #ops: FtraceOps = createOps(OPS_ID.TRACER, '');

  /** @param instance TOP_INSTANCE, or a number that no other instance has */
  constructor(instance: number, settings: TracerSettings) {
    this.instance = instance;
    this.settings = settings;
  }

  get ops(): FtraceOps {
    return this.#ops;
  }

  /** Whether threads have a tracer to run, with or without functions. */
  get isOn(): boolean {
    return this.settings.tracer !== 'nop';
  }

  get isLatency(): boolean {
    return isLatencyTracer(this.settings.tracer);
  }

  /** Changes its settings; `id` is the ops id under which it traces from now on. */
  configure(settings: TracerSettings, id: number): void {
    const { tracer, options } = settings;
    this.settings = settings;
    const { callback = '' } = isLatencyTracer(tracer) && options['display-graph'] ? functionGraph : tracerNamed(tracer);
    this.#ops = { ...this.#ops, id, name: callback, enabled: tracesFunctions(settings) };
  }

  /** Updates the ops from the present filters. */
  takeFilters(): void {
    this.#ops = { ...this.#ops, filter: this.filters.get('filter'), notrace: this.filters.get('notrace') };
  }

  /** The sites of the excluded threads do not call this tracer; undefined: no thread is excluded. */
  exclude(excludes: ((tid: number) => boolean) | undefined): void {
    const { excludes: _, ...ops } = this.#ops;
    this.#ops = excludes === undefined ? ops : { ...ops, excludes };
  }

  /**
   * Tells a thread to trace in this way; its patches are sent separately.
   * @param measures whether a latency tracer begins to measure
   */
  tell(thread: TracedThread, measures = true): void {
    const config = this.#config(thread, measures);
    if (this.instance === TOP_INSTANCE) thread.post({ type: 'tracer', config });
    else thread.post({ type: 'instanceTracer', instance: this.instance, ops: this.#ops.id, config });
  }

  /** Whether a new thread must be told about it. */
  get concernsThreads(): boolean {
    return this.isOn || this.settings.options.stacktrace;
  }

  /**
   * Whether sites find the parents: with every function traced the shadow stack knows the callers; a filter leaves gaps in it.
   */
  get wantsParents(): boolean {
    const { tracer, options } = this.settings;
    const prints = tracerNamed(tracer).prints === 'lines' && !(isLatencyTracer(tracer) && options['display-graph']);
    if (!prints || !options['print-parent']) return false;
    return !isEmptyHash(this.filters.get('filter')) || !isEmptyHash(this.filters.get('notrace'));
  }

  /** What the options of the tracer say. */
  #switched(): Record<Switched, boolean> {
    const { tracer, options } = this.settings;
    const { switches = {} } = tracerNamed(tracer);
    const isOn = (one: Switched): boolean => switches[one] !== undefined && options[switches[one] as OptionName];
    return Object.fromEntries(SWITCHED.map((one) => [one, isOn(one)])) as Record<Switched, boolean>;
  }

  #config(thread: TracedThread, measures: boolean): TracerConfig {
    const { tracer, options, maxDepth, threshold } = this.settings;
    const { isLatency } = this;
    const graphFunctions = bitsOf(this.filters.get('graph'));
    const graphNotrace = bitsOf(this.filters.get('graphNotrace'));
    return {
      tracer,
      ignoredBit: this.ignoredBit,
      parents: this.wantsParents,
      ...this.#switched(),
      eventStacks: options.stacktrace,
      sleepTime: options['sleep-time'],
      graphTime: options['graph-time'],
      // tracing_thresh is the graph tracer's; latency tracers compare with their maximum.
      threshold: isLatency ? 0 : Number(threshold),
      maxDepth,
      displayGraph: isLatency && options['display-graph'],
      ...(isLatency && measures && { latency: this.maximum.of(thread.cpu) }),
      ...(graphFunctions && { graphFunctions }),
      ...(graphNotrace && { graphNotrace }),
    };
  }
}
