import { grown } from '../../base/grown.js';
import { BUSY, CALLBACK, Fgraph, LIMITED, OVERRUN, WANTS_FAST, WANTS_TRACER } from '../../ftrace/fgraph.js';
import type { FtraceFunctionOps } from '../../ftrace/ftrace-function-ops.js';
import type { ProbeOps } from '../../ftrace/kprobes/probe-ops.js';
import { OPS_ID } from '../../ftrace/ops.js';
import type { Patches } from '../../ftrace/plan.js';
import type { RecordWriter } from '../../ftrace/tracers/record-writer.js';
import { SERVICE_OPS, type ServiceKind } from '../../ftrace/tracers/services.js';
import type { TracerConfig } from '../../ftrace/tracers/tracer-config.js';
import type { LinkedFunctions, NativeCalls } from '../../port/port.js';
import type { ClockReading } from '../../ring-buffer/trace-clocks.js';
import type { FindCaller } from '../call-stack.js';
import { ThreadEvents, type ThreadEventsNeeds } from '../events/thread-events.js';
import { textAddress } from '../text-region.js';
import { createThreadTrace, type TraceNeeds } from './create-thread-trace.js';
import { createDiverter } from './diverter.js';
import { createTrampolines } from './entry.js';
import { createExits } from './exits.js';
import { createFunctionTracer, type FunctionTracer } from './function.js';
import { createFunctionGraph } from './function-graph.js';
import type { LatencyNeeds } from './latency/latency-tracer.js';
import { createLatencyTracers, type LatencyTracers } from './latency/latency-tracers.js';
import type { LivepatchNeeds } from './livepatch-needs.js';
import { orderedTimes, shareFrames } from './native-frames.js';
import { NextCall } from './next-call.js';
import { anyWantsParents, dropOutput, outputOf } from './outputs.js';
import { QuietCells } from './quiet-cells.js';
import { SERVICES, ServiceTable } from './service-table.js';
import type { CreateService } from './services.js';
import { createSubscriberTable, type SubscriberFailed, type SubscriberTable } from './subscribers.js';
import { filteredByTask, parentsByTask } from './task-filter.js';
import { setTextSize } from './text-limits.js';
import { type IsOver, ThreadSites } from './thread-sites.js';
import type { ThreadTrace } from './thread-trace.js';
import { type ChosenTracer, createTracerTrampolines } from './tracers.js';
import { TracingPeriod, type TracingPeriodNeeds } from './tracing-period.js';

/** What a runtime needs from its thread. */
export interface RuntimeNeeds extends TraceNeeds, TracingPeriodNeeds {
  readonly subscriberFailed: SubscriberFailed;
  /** Whether the time for patching is over; absent: it never is. */
  readonly isOver?: IsOver;
  /** What the events of the thread need. */
  readonly events: ThreadEventsNeeds;
  /** What latency tracers watch and need. */
  readonly latency: LatencyNeeds;
  /** What live patches and error injection need. */
  readonly diversions: LivepatchNeeds;
  /** The services; by default all of them. */
  readonly services?: Partial<Record<ServiceKind, CreateService>>;
}

const NEVER: IsOver = () => false;

/** The thread side of tracing, driven by the agent of that thread. */
export class TracerRuntime {
  readonly #needs: RuntimeNeeds;
  readonly #ctx: ThreadTrace;
  #findPrinter: FindCaller | undefined;
  readonly #cells: QuietCells;
  readonly #sites: ThreadSites;
  readonly #period: TracingPeriod;
  readonly #nextCall: NextCall;
  readonly #function: FunctionTracer;
  readonly #latency: LatencyTracers;
  readonly #chooseTracer: (config: TracerConfig) => ChosenTracer;
  readonly #services: ServiceTable;
  readonly #subscribers: SubscriberTable;
  /** The events of the thread. */
  readonly events: ThreadEvents;

  constructor(needs: RuntimeNeeds) {
    const fgraph: Fgraph = new Fgraph(needs.clock, (depth, now) => exits.ended(depth, now));
    const cells = new QuietCells(needs.cells, fgraph);
    const ctx = createThreadTrace(needs, fgraph);
    const graph = createFunctionGraph(ctx);
    const subscribers = createSubscriberTable(ctx, needs.subscriberFailed);
    const services = new ServiceTable(ctx, {
      kprobe: (_ctx, bit) => this.events.probes.service(bit),
      ipmodify: (trace, bit) => createDiverter(trace, bit, needs.diversions),
      ...(needs.services ?? SERVICES),
    });
    const exits = createExits(ctx, graph, {
      exited(want, depth, n, value, unwound, isCoroutine) {
        services.exited(want, depth, n, value, unwound, isCoroutine);
        fgraph.exitLists.exited(want, depth, n, value, unwound, isCoroutine);
      },
      suspended(want, depth, activation, now) {
        services.suspended(want, depth, activation, now);
        subscribers.suspended(depth, activation);
      },
      resumed(want, depth, activation, now) {
        services.resumed(want, depth, activation, now);
        subscribers.resumed(depth, activation);
      },
    });
    ctx.calls = exits.calls;
    this.#needs = needs;
    this.#ctx = ctx;
    this.#cells = cells;
    this.#period = new TracingPeriod({ onUncaught: needs.onUncaught, cells }, fgraph, exits);
    ctx.catches = this.#period.catches;
    this.#sites = new ThreadSites(ctx, cells, this.#period);
    this.#nextCall = new NextCall(fgraph, this.#sites);
    ctx.nextCall = this.#nextCall;
    this.#function = createFunctionTracer(ctx);
    this.#latency = createLatencyTracers(ctx, graph, needs.latency);
    this.#chooseTracer = createTracerTrampolines(ctx, this.#function, graph, this.#latency.entryOf).choose;
    this.#services = services;
    this.#subscribers = subscribers;
    this.events = new ThreadEvents(ctx, needs.events);
  }

  /** Where an instance's records go from now on; 0 is the top level. */
  setWriter(writer: RecordWriter, instance = 0): void {
    outputOf(this.#ctx, instance).writer = writer;
  }

  /**
   * Tells the traced native text of the process about this thread's JavaScript.
   * @returns the order that the times of both then keep, and the processor's counter as a clock
   */
  joinNative(file: string, calls: NativeCalls): { readonly order: ClockReading; readonly tsc: ClockReading } {
    const tsc = shareFrames(this.#ctx.fgraph, file, calls);
    this.#cells.begin();
    return { order: orderedTimes(this.#ctx.fgraph), tsc };
  }

  /** Runs something of fentry's own on the thread: what it calls of native text is not recorded. */
  quietly(run: () => void): void {
    this.#cells.during(run);
  }

  /**
   * Continues to patch the sites of the calls below, until the thread sayss that the time is over. The next such call waits until
   * this has returned true.
   * @returns whether all are patched
   */
  proceed(): boolean {
    return this.#sites.proceed(this.#needs.isOver ?? NEVER);
  }

  /** Chooses the top level's tracer and its options. Cells follow by applyPatches. */
  setTracer(config: TracerConfig): void {
    const isOther = config.tracer !== this.#ctx.config.tracer;
    this.#ctx.config = config;
    this.#findCallers(config);
    this.#ctx.fgraph.state[LIMITED] = isLimited(config) ? 1 : 0;
    if (isOther) {
      this.#forget(OPS_ID.TRACER, WANTS_TRACER | WANTS_FAST);
      this.#ctx.fgraph.leaveMarks(0);
    }
    this.#period.setRecordsExits(config.tracer === 'function_graph' || config.displayGraph);
    const { entry, trampolines } = this.#chooseTracer(config);
    this.#sites.serve(OPS_ID.TRACER, entry, trampolines);
    this.#latency.configure(config);
    this.proceed();
  }

  /** Sets the tracer of another instance, whose tracer, nop or function, is called by the sites as `ops` from now on. */
  setInstanceTracer(instance: number, ops: number, config: TracerConfig): void {
    const ctx = this.#ctx;
    const output = outputOf(ctx, instance);
    const before = output.config;
    output.config = config;
    this.#findCallers(config);
    if (config.tracer === before.tracer && config.ignoredBit === before.ignoredBit) return;
    if (config.tracer === 'nop') this.#sites.drop(ops);
    else {
      const all = this.#function.entryOf(output);
      const entry = config.ignoredBit === 0 ? all : filteredByTask(ctx, output, all);
      this.#sites.serve(ops, entry, createTrampolines(ctx, entry, parentsByTask(ctx, output)));
    }
    this.proceed();
  }

  /** Drops an instance, which no site calls any more. */
  removeInstance(instance: number): void {
    dropOutput(this.#ctx, instance);
    this.#sites.findParents(anyWantsParents(this.#ctx));
  }

  /**
   * Another task runs from now on; `ignored` has the bits of the instances that do not trace it. Undefined: the thread itself.
   */
  switchTask(pid: number | undefined, ignored: number): void {
    this.#ctx.pid = pid ?? this.#needs.tid;
    this.#ctx.ignored = ignored;
  }

  /** Configures a service, or ends it with undefined; its sites follow by applyPatches. */
  setService(kind: ServiceKind, config: unknown): void {
    const service = this.#services.get(kind);
    if (service === undefined) return;
    const id = SERVICE_OPS[kind];
    if (!this.#sites.isServed(id)) {
      const { entry, enter, around } = service;
      const any = createTrampolines(this.#ctx, entry, undefined, around);
      this.#sites.serve(id, entry, enter === undefined ? any : { ...any, sync: enter }, around);
    }
    // A coroutine that is suspended during the end and a new start does not belong to the new one.
    if (config === undefined) this.#forget(id);
    service.configure(config);
  }

  /** Tells that this thread recorded an event that is not a tracer's: with the option stacktrace its stack follows. */
  eventRecorded(): void {
    if (this.#ctx.config.eventStacks) this.#ctx.stackTrace(this.#ctx);
  }

  /** The address of the program's function that called fentry, or 0. @param callee as WalkStack has it */
  callerAddress(callee: (...args: never[]) => unknown): number {
    this.#findPrinter ??= this.#needs.createFindPrinter(this.#ctx.walkStack);
    return textAddress(this.#findPrinter(callee));
  }

  link({ firstFunction, addresses, kinds }: LinkedFunctions): void {
    this.#ctx.addresses = grown(this.#ctx.addresses, firstFunction + addresses.length);
    // Storing them cuts them to their low halves.
    this.#ctx.addresses.set(addresses, firstFunction);
    this.#sites.link(firstFunction, kinds);
  }

  applyPatches(patches: Patches): void {
    const { fgraph } = this.#ctx;
    if (fgraph.exitLists.areMany && (fgraph.state[BUSY]! & CALLBACK) === 0) fgraph.tidyExitLists();
    this.#sites.apply(patches);
    this.proceed();
  }

  /**
   * The thread was interrupted inside fentry's own code: the next call of a site calls `obey`. False if no site calls anything.
   */
  obeyAtNextCall(obey: () => void): boolean {
    return this.#nextCall.asks(obey);
  }

  /** Makes every site a NOP. */
  disarm(): void {
    this.#sites.disarm();
  }

  /** Gives a subscriber an ops id; its sites follow by applyPatches. */
  addSubscriber(id: number, ops: FtraceFunctionOps): void {
    const entry = this.#subscribers.add(id, ops);
    this.#sites.serve(id, entry, createTrampolines(this.#ctx, entry));
    this.#sites.proceed(NEVER);
  }

  /** Adds a probe of the program. */
  addProbe(id: number, ops: ProbeOps): void {
    const entry = this.#subscribers.addProbe(id, ops);
    this.#sites.serve(id, entry, createTrampolines(this.#ctx, entry));
    this.#sites.proceed(NEVER);
  }

  /** Runs a handler of the program's probes: its calls are not traced. False if one is running already. */
  inCallback(run: () => void): boolean {
    return this.#subscribers.inCallback(run);
  }

  /** The address of function `n`. */
  addressOf(n: number): number {
    return textAddress(this.#ctx.addresses[n]!);
  }

  /** The subscriber is not called any more, whatever its sites still do until applyPatches. */
  removeSubscriber(id: number): void {
    this.#subscribers.remove(id);
    this.#sites.drop(id);
  }

  /** fentry's own work is running: the latency tracers do not measure it. */
  discardLatency(): void {
    this.#latency.discard();
  }

  /** max_text_size */
  setTextSize(characters: number): void {
    setTextSize(characters);
  }

  /** Records the stack if the latency that began at `since` is still measured: the thread was interrupted. */
  lookAtLatency(since: number): void {
    this.#latency.look(since);
  }

  /** The number of calls that were nested too deep for the shadow stack. */
  get overrun(): number {
    return this.#ctx.fgraph.state[OVERRUN]!;
  }

  #findCallers({ parents }: TracerConfig): void {
    if (parents) this.#ctx.findCaller ??= this.#cells.findCaller(this.#needs.createFindCaller());
    this.#sites.findParents(anyWantsParents(this.#ctx));
  }

  /** The previous owner of this ops id is not told of the end of any frame any more, also of suspended ones. */
  #forget(id: number, wants = 1 << id): void {
    this.#ctx.fgraph.forget(wants);
    this.#ctx.since[id] = ++this.#ctx.epoch;
  }
}

/** Whether function_graph has more to decide at an entry or exit than to record it. */
function isLimited({ graphFunctions, graphNotrace, maxDepth, retval, threshold }: TracerConfig): boolean {
  return graphFunctions !== undefined || graphNotrace !== undefined || maxDepth !== 0 || retval || threshold !== 0;
}
