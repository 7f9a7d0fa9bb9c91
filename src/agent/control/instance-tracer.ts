import type { OptionFlags } from '../../core/options.js';
import { isEmptyHash } from '../../ftrace/hash.js';
import { createOps, type FtraceOps, OPS_ID } from '../../ftrace/ops.js';
import type { TracerConfig, TracerName } from '../../tracers/runtime.js';
import { bitsOf, FunctionFilters } from './function-filters.js';
import type { ThreadConnection } from './thread-connection.js';

/** The callback of each tracer, as enabled_functions names it. */
const CALLBACKS = { function: 'function_trace_call', function_graph: 'ftrace_graph_func', nop: '' } as const;

/** What a tracer does besides which functions it traces. */
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
  settings: TracerSettings;
  #ops: FtraceOps = createOps(OPS_ID.TRACER, CALLBACKS.nop);

  /** @param instance TOP_INSTANCE, or a number that no other instance has */
  constructor(instance: number, settings: TracerSettings) {
    this.instance = instance;
    this.settings = settings;
  }

  get ops(): FtraceOps {
    return this.#ops;
  }

  /** Gives it other settings; `id` is the ops id under which it traces from now on. */
  configure(settings: TracerSettings, id: number): void {
    const { tracer } = settings;
    this.settings = settings;
    this.#ops = { ...this.#ops, id, name: CALLBACKS[tracer], enabled: tracer !== 'nop' };
  }

  /** Brings the ops to what the filters are now. */
  takeFilters(): void {
    this.#ops = { ...this.#ops, filter: this.filters.get('filter'), notrace: this.filters.get('notrace') };
  }

  /** Keeps the sites of the threads that it names from calling this tracer; undefined: of none. */
  exclude(excludes: ((tid: number) => boolean) | undefined): void {
    const { excludes: _, ...ops } = this.#ops;
    this.#ops = excludes === undefined ? ops : { ...ops, excludes };
  }

  /** Has a thread trace in this way; its patches follow by themselves. */
  tell(thread: ThreadConnection): void {
    const config = this.#config(thread);
    if (this.instance === TOP_INSTANCE) thread.post({ type: 'tracer', config });
    else thread.post({ type: 'instanceTracer', instance: this.instance, ops: this.#ops.id, config });
  }

  /** With every function traced the shadow stack knows the callers; a filter leaves gaps in it. */
  get wantsParents(): boolean {
    const { tracer, options } = this.settings;
    if (tracer !== 'function' || !options['print-parent']) return false;
    return !isEmptyHash(this.filters.get('filter')) || !isEmptyHash(this.filters.get('notrace'));
  }

  #config(thread: ThreadConnection): TracerConfig {
    const { tracer, options, maxDepth, threshold } = this.settings;
    const graphFunctions = bitsOf(this.filters.get('graph'));
    const graphNotrace = bitsOf(this.filters.get('graphNotrace'));
    return {
      tracer,
      pid: thread.tid,
      parents: this.wantsParents,
      args: options[tracer === 'function' ? 'func-args' : 'funcgraph-args'],
      retval: options['funcgraph-retval'],
      sleepTime: options['sleep-time'],
      graphTime: options['graph-time'],
      threshold,
      maxDepth,
      ...(graphFunctions && { graphFunctions }),
      ...(graphNotrace && { graphNotrace }),
    };
  }
}
