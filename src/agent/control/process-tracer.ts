import type { LinkEvent } from '../../arch/v8/loader/link-event.js';
import type { FilterName } from '../../core/host.js';
import type { OptionFlags } from '../../core/options.js';
import {
  FilterEditor,
  type FunctionFilter,
  type FunctionNames,
  filterLinked,
  functionNames,
  parseFilterWord,
} from '../../ftrace/function-filter.js';
import { EMPTY_HASH, isEmptyHash } from '../../ftrace/hash.js';
import { createOps, type FtraceOps, OPS_ID, opsWants } from '../../ftrace/ops.js';
import { updateRecords } from '../../ftrace/plan.js';
import { DynFtraceRecords, FTRACE_FL } from '../../ftrace/records.js';
import type { SubscriberRequest } from '../../ftrace/register.js';
import type { TracerConfig, TracerName } from '../../tracers/runtime.js';
import { bitsOf, FunctionFilters } from './function-filters.js';
import type { TextRange, TextTable } from './text-table.js';
import type { ThreadConnection } from './thread-connection.js';
import { ThreadPatches } from './thread-patches.js';

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

/** The function tracing of the process: who subscribes to what, and each thread brought to it. */
export class ProcessTracer {
  readonly records = new DynFtraceRecords();
  readonly filters = new FunctionFilters();
  readonly #table: TextTable;
  readonly #threads = new Map<ThreadConnection, ThreadPatches>();
  #subscribers: readonly FtraceOps[] = [];
  #ops: FtraceOps = createOps(OPS_ID.TRACER, CALLBACKS.nop);
  #settings: TracerSettings;

  constructor(table: TextTable, settings: TracerSettings) {
    this.#table = table;
    this.#settings = settings;
  }

  get settings(): TracerSettings {
    return this.#settings;
  }

  /** Whether functions must be patched before they first run. */
  get isOn(): boolean {
    return this.#ops.enabled || this.#subscribers.length > 0;
  }

  /** The callback of the one ops that wants function `n`; undefined when it is none or several. */
  trampoline(n: number): string | undefined {
    if ((this.records.flags(n) & FTRACE_FL.TRAMP) === 0) return undefined;
    return this.#all().find((ops) => opsWants(ops, n))?.name;
  }

  addThread(thread: ThreadConnection): void {
    this.#threads.set(thread, new ThreadPatches(thread));
    if (this.#ops.enabled) thread.post({ type: 'tracer', config: this.#config(thread) });
  }

  removeThread(thread: ThreadConnection): void {
    this.#threads.delete(thread);
    this.#subscribers = this.#subscribers.filter(({ cpu }) => cpu !== thread.cpu);
  }

  /** A thread loaded a text: its functions get the patches that they need before they run. */
  link(thread: ThreadConnection, { firstFunction, functionCount }: LinkEvent): void {
    const text: TextRange = { firstFunction, end: firstFunction + functionCount };
    const patches = this.#threads.get(thread);
    patches?.link(text);
    if (!this.isOn) return;
    this.decode();
    patches?.apply(this.records, this.#all(), this.#table, text);
  }

  /** Takes in the texts that were announced since. */
  decode(): void {
    const linked: number[] = [];
    for (const { firstFunction, functions } of this.#table.decode()) {
      this.records.link(firstFunction, functions);
      functions.forEach((one, index) => {
        if (one.reason === undefined) linked.push(firstFunction + index);
      });
    }
    if (linked.length === 0) return;
    const changed = this.filters.hasWords ? this.filters.link(this.names(), linked) : [];
    if (changed.length > 0) this.#takeFilters();
    if (changed.includes('graph') || changed.includes('graphNotrace')) this.#sendConfig();
    this.#linkSubscribers(linked);
    if (this.isOn) this.#update(linked);
  }

  configure(settings: TracerSettings): void {
    const { tracer } = settings;
    this.#settings = settings;
    this.#ops = { ...this.#ops, name: CALLBACKS[tracer], enabled: tracer !== 'nop' };
    // A tracer is set before its first patch, and taken away after its last.
    if (tracer !== 'nop') this.#sendConfig();
    this.#patch();
    if (tracer === 'nop') this.#sendConfig();
  }

  setFilter(which: FilterName, filter: FunctionFilter): void {
    const parents = this.#wantsParents();
    this.filters.set(which, filter);
    this.#takeFilters();
    const isGraph = which === 'graph' || which === 'graphNotrace';
    if (isGraph || parents !== this.#wantsParents()) this.#sendConfig();
    if (!isGraph) this.#patch();
  }

  /**
   * Plans for a subscriber of a thread's program (registerFtraceFunction), anew when it is known.
   * @throws TraceError EINVAL for a word that matches nothing
   */
  subscribe({ cpu }: ThreadConnection, { id, name, flags, filter, notrace }: SubscriberRequest): void {
    this.decode();
    const names = this.names();
    const ops: FtraceOps = {
      ...createOps(id, name, flags, cpu),
      filter: filterOf(names, filter),
      notrace: filterOf(names, notrace),
      enabled: true,
    };
    this.#subscribers = [...this.#subscribers.filter((one) => one.cpu !== cpu || one.id !== id), ops];
    this.#patch();
  }

  unsubscribe({ cpu }: ThreadConnection, id: number): void {
    this.#subscribers = this.#subscribers.filter((one) => one.cpu !== cpu || one.id !== id);
    this.#patch();
  }

  /** The functions as a filter sees them. */
  names(): FunctionNames {
    const table = this.#table;
    return functionNames(
      table.numbers().filter((n) => table.function(n).reason === undefined),
      (n) => table.name(n),
      (n) => table.module(n),
    );
  }

  #linkSubscribers(linked: readonly number[]): void {
    if (this.#subscribers.length === 0) return;
    const names = this.names();
    this.#subscribers = this.#subscribers.map((ops) => ({
      ...ops,
      filter: filterLinked(ops.filter as FunctionFilter, names, linked),
      notrace: filterLinked(ops.notrace as FunctionFilter, names, linked),
    }));
  }

  #all(): readonly FtraceOps[] {
    return [this.#ops, ...this.#subscribers];
  }

  #takeFilters(): void {
    this.#ops = {
      ...this.#ops,
      filter: this.filters.get('filter'),
      notrace: this.filters.get('notrace'),
    };
  }

  #patch(): void {
    this.decode();
    updateRecords(this.records, this.#all());
    for (const patches of this.#threads.values()) patches.apply(this.records, this.#all(), this.#table);
  }

  #update(linked: readonly number[]): void {
    const from = linked.reduce((least, n) => Math.min(least, n), Number.POSITIVE_INFINITY);
    const to = linked.reduce((most, n) => Math.max(most, n), 0) + 1;
    updateRecords(this.records, this.#all(), from, to);
  }

  #sendConfig(): void {
    for (const thread of this.#threads.keys()) thread.post({ type: 'tracer', config: this.#config(thread) });
  }

  /** With every function traced the shadow stack knows the callers; a filter leaves gaps in it. */
  #wantsParents(): boolean {
    const { tracer, options } = this.#settings;
    if (tracer !== 'function' || !options['print-parent']) return false;
    return !isEmptyHash(this.filters.get('filter')) || !isEmptyHash(this.filters.get('notrace'));
  }

  #config(thread: ThreadConnection): TracerConfig {
    const { tracer, options, maxDepth, threshold } = this.#settings;
    const graphFunctions = bitsOf(this.filters.get('graph'));
    const graphNotrace = bitsOf(this.filters.get('graphNotrace'));
    return {
      tracer,
      pid: thread.tid,
      parents: this.#wantsParents(),
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

/** The filter that words make, written one after the other to an empty one. */
function filterOf(names: FunctionNames, words: readonly string[]): FunctionFilter {
  const editor = new FilterEditor(names, EMPTY_HASH);
  for (const word of words) editor.apply(parseFilterWord(word), names.listed.length === 0);
  return editor.result();
}
