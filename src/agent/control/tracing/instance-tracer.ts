import type { TracedThread } from '../../../arch/port.js';
import { MaxTrace } from '../../../core/max-trace.js';
import type { OptionFlags } from '../../../core/options.js';
import { isEmptyHash } from '../../../ftrace/hash.js';
import { createOps, type FtraceOps, OPS_ID } from '../../../ftrace/ops.js';
import { isLatencyTracer } from '../../../tracers/latency/latency-tracers.js';
import type { TracerConfig, TracerName } from '../../../tracers/tracer-config.js';
import { bitsOf, FunctionFilters } from './function-filters.js';

/** The callback of each tracer, as enabled_functions names it. */
const CALLBACKS: Readonly<Record<TracerName, string>> = {
  hwlat: '',
  function_graph: 'ftrace_graph_func',
  wakeup_dl: 'wakeup_tracer_call',
  wakeup_rt: 'wakeup_tracer_call',
  wakeup: 'wakeup_tracer_call',
  irqsoff: 'irqsoff_tracer_call',
  function: 'function_trace_call',
  nop: '',
};

/** Whether a tracer traces functions; the latency tracers need not. */
const tracesFunctions = ({ tracer, options }: TracerSettings): boolean =>
  CALLBACKS[tracer] !== '' && (!isLatencyTracer(tracer) || options['function-trace']);

/** The settings of a tracer besides its functions. */
export interface TracerSettings {
  readonly tracer: TracerName;
  readonly options: OptionFlags;
  /** max_graph_depth */
  readonly maxDepth: number;
  /** tracing_thresh in nanoseconds */
  readonly threshold: number;
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
  #ops: FtraceOps = createOps(OPS_ID.TRACER, CALLBACKS.nop);

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
    const name = isLatencyTracer(tracer) && options['display-graph'] ? CALLBACKS.function_graph : CALLBACKS[tracer];
    this.#ops = { ...this.#ops, id, name, enabled: tracesFunctions(settings) };
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

  /** With every function traced the shadow stack knows the callers; a filter leaves gaps in it. */
  get wantsParents(): boolean {
    const { tracer, options } = this.settings;
    const prints = tracer === 'function' || (isLatencyTracer(tracer) && !options['display-graph']);
    if (!prints || !options['print-parent']) return false;
    return !isEmptyHash(this.filters.get('filter')) || !isEmptyHash(this.filters.get('notrace'));
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
      stacks: tracer === 'function' && options.func_stack_trace,
      noRepeats: tracer === 'function' && options['func-no-repeats'],
      eventStacks: options.stacktrace,
      args: options[tracer === 'function' ? 'func-args' : 'funcgraph-args'],
      retval: options['funcgraph-retval'],
      sleepTime: options['sleep-time'],
      graphTime: options['graph-time'],
      // tracing_thresh is the graph tracer's; latency tracers compare with their maximum.
      threshold: isLatency ? 0 : threshold,
      maxDepth,
      displayGraph: isLatency && options['display-graph'],
      ...(isLatency && measures && { latency: this.maximum.of(thread.cpu) }),
      ...(graphFunctions && { graphFunctions }),
      ...(graphNotrace && { graphNotrace }),
    };
  }
}
