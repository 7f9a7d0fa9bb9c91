import { COROUTINE_KINDS, type FindCaller, FUNCTION_KINDS, type StackDepth, type WalkStack } from '../arch/arch.js';
import { Fgraph, LIMITED, OVERRUN } from '../ftrace/fgraph.js';
import type { FtraceFunctionOps } from '../ftrace/ftrace-function-ops.js';
import { OPS_ID } from '../ftrace/ops.js';
import type { Patches } from '../ftrace/plan.js';
import type { TraceOutput, TracerContext } from './context.js';
import {
  createTrampolines,
  type EntryFunction,
  IGNORED,
  type ParentsWanted,
  type Trampolines,
  WANTS_FAST,
  WANTS_TRACER,
} from './entry.js';
import { createExits, type Exits } from './exits.js';
import { createFunctionTracer } from './function.js';
import { createFunctionGraph } from './function-graph.js';
import { createJobMarker } from './job.js';
import type { LatencyHost } from './latency/latency-tracer.js';
import { createLatencyTracers } from './latency/latency-tracers.js';
import { createListEntry } from './list.js';
import type { RecordWriter } from './record-writer.js';
import {
  type Cells,
  type LinkedFunctions,
  NOP_CONFIG,
  type SiteServices,
  type TracerConfig,
  type TracerRuntime,
} from './runtime.js';
import { ServiceTable } from './service-table.js';
import { type CreateService, SERVICE_OPS, SERVICES, type ServiceKind } from './services.js';
import { createStackTrace } from './stack-trace.js';
import { createSubscriberTable, type SubscriberFailed } from './subscribers.js';
import { filteredByTask, parentsByTask } from './task-filter.js';
import { createTracerTrampolines } from './tracers.js';

/** What a runtime needs of its thread. */
export interface RuntimeHost {
  readonly cells: Cells;
  /** Nanoseconds of the trace clock. */
  readonly clock: () => number;
  /** Makes what finds callers; asked once, when they are first wanted. */
  readonly createFindCaller: () => FindCaller;
  /** Makes what walks the stack; asked once, when it is first wanted. */
  readonly createWalkStack: () => WalkStack;
  /** Makes what measures the stack; undefined where the system does not tell its depth. */
  readonly createStackDepth: () => StackDepth | undefined;
  /** Has the buffers printed, or this thread's only; returns when they are. */
  readonly dump: (ownCpuOnly: boolean) => void;
  /** The thread's id at the operating system. */
  readonly tid: number;
  readonly subscriberFailed: SubscriberFailed;
  /** Has `clear` called when an uncaught exception is about to end the program, and no more after the returned call. */
  readonly onUncaught: (clear: () => void) => () => void;
  /** What latency tracers watch and need. */
  readonly latency: LatencyHost;
  /** The services that there are; all of fentry's by default. */
  readonly services?: Partial<Record<ServiceKind, CreateService>>;
}

/** Services that a token or a mark may still call after its session: a catch may outlive the tracer that its try met. */
const ONCE = ['y', 'z', 'w', 'v', 'k', 'u'] as const;

const IS_COROUTINE: readonly boolean[] = FUNCTION_KINDS.map((kind) => COROUTINE_KINDS.has(kind));

/** Where records go before there is a buffer. */
const NO_WRITER: RecordWriter = {
  u32: new Uint32Array(0),
  u8: new Uint8Array(0),
  reserve: () => -1,
  commit() {},
  commitShorter() {},
  tracingOn: false,
  setTracingOn() {},
  snapshotNow() {},
  abandon() {},
};

/** Makes the thread side of tracing. */
export function createTracerRuntime(host: RuntimeHost): TracerRuntime {
  const { cells, clock } = host;
  let everArmed = false;
  let exit: SiteServices['x'] | undefined;
  let walkStack: WalkStack | undefined;
  const fgraph: Fgraph = new Fgraph(clock, (depth, now) => exits.ended(depth, now));
  const ctx: TracerContext = {
    clock,
    fgraph,
    tid: host.tid,
    walkStack(addresses, withAwaiting) {
      walkStack ??= host.createWalkStack();
      return walkStack(addresses, withAwaiting);
    },
    createStackDepth: host.createStackDepth,
    stackTrace: () => {},
    dump: host.dump,
    writer: NO_WRITER,
    config: NOP_CONFIG,
    outputs: new Map(),
    pid: host.tid,
    ignored: 0,
    addresses: new Uint32Array(1024),
    parent: 0,
    findCaller: undefined,
    epoch: 0,
    since: new Int32Array(OPS_ID.LAST_SUBSCRIBER + 1),
    ...createJobMarker(fgraph),
  };
  let coroutines = new Uint8Array(1024);
  let masks: Uint32Array<ArrayBuffer> = new Uint32Array(1024);
  let armed = 0;
  let stopListening: (() => void) | undefined;

  ctx.stackTrace = createStackTrace(ctx);
  const graph = createFunctionGraph(ctx);
  const functionTracer = createFunctionTracer(ctx);
  const subscribers = createSubscriberTable(ctx, host.subscriberFailed);
  const services = new ServiceTable(ctx, host.services ?? SERVICES);
  const exits: Exits = createExits(ctx, graph, {
    exited(want, depth, n, value, unwound) {
      services.exited(want, depth, n, value, unwound);
      subscribers.exited(want, depth, n, value, unwound);
    },
    suspended: (want, depth, activation, now) => services.suspended(want, depth, activation, now),
    resumed: (want, depth, activation, now) => services.resumed(want, depth, activation, now),
  });
  const entries: (EntryFunction | undefined)[] = [];
  const trampolines: (Trampolines | undefined)[] = [];
  const latency = createLatencyTracers(ctx, graph, host.latency);
  const tracers = createTracerTrampolines(ctx, functionTracer, graph, latency.entryOf);
  const list = createTrampolines(
    ctx,
    createListEntry(entries, () => masks),
    anyOutput(ctx),
  );

  function use(id: number, entry: EntryFunction | undefined, own: Trampolines | undefined): void {
    entries[id] = entry;
    trampolines[id] = own;
    ctx.since[id] = ++ctx.epoch;
  }

  function patch(n: number, mask: number): void {
    masks[n] = mask;
    if (mask === 0) {
      cells.disarm(n);
      return;
    }
    const single = (mask & (mask - 1)) === 0 ? trampolines[31 - Math.clz32(mask)] : undefined;
    const chosen = single ?? list;
    cells.arm(n, coroutines[n] === 1 ? chosen.coroutine : chosen.sync);
  }

  /** The trampolines of an ops changed: the sites that call it alone get the new ones. */
  function patchAnew(mask: number): void {
    for (let n = 0; n < masks.length; n++) if (masks[n] === mask) patch(n, mask);
  }

  function outputOf(instance: number): TraceOutput {
    if (instance === 0) return ctx;
    let output = ctx.outputs.get(instance);
    if (output === undefined) {
      output = { writer: NO_WRITER, config: NOP_CONFIG };
      ctx.outputs.set(instance, output);
    }
    return output;
  }

  function begin(): void {
    fgraph.startSession();
    const { services } = exits;
    if (!everArmed) for (const letter of ONCE) cells.setService(letter, services[letter]);
    everArmed = true;
    chooseExit();
    cells.setService('d', services.d);
    stopListening = host.onUncaught(() => fgraph.unwindTo(0));
  }

  function chooseExit(): void {
    const wanted = ctx.config.tracer === 'function_graph' || ctx.config.displayGraph ? exits.services.x : exits.pop;
    if (wanted === exit) return;
    exit = wanted;
    cells.setService('x', exit);
  }

  function end(): void {
    cells.setService('d', 0);
    stopListening?.();
    stopListening = undefined;
  }

  return {
    setWriter(writer, instance = 0) {
      outputOf(instance).writer = writer;
    },

    setTracer(config: TracerConfig) {
      const before = trampolines[OPS_ID.TRACER];
      const sameTracer = config.tracer === ctx.config.tracer;
      if (config.parents) ctx.findCaller ??= host.createFindCaller();
      ctx.config = config;
      fgraph.state[LIMITED] = isLimited(config) ? 1 : 0;
      const chosen = tracers.choose(config);
      if (!sameTracer) {
        fgraph.forget(WANTS_TRACER | WANTS_FAST);
        use(OPS_ID.TRACER, chosen.entry, chosen.trampolines);
      } else {
        entries[OPS_ID.TRACER] = chosen.entry;
        trampolines[OPS_ID.TRACER] = chosen.trampolines;
      }
      if (everArmed) chooseExit();
      if (before !== chosen.trampolines) patchAnew(1 << OPS_ID.TRACER);
      latency.configure(config);
    },

    setInstanceTracer(instance: number, ops: number, config: TracerConfig) {
      const output = outputOf(instance);
      if (config.parents) ctx.findCaller ??= host.createFindCaller();
      const before = output.config;
      output.config = config;
      if (config.tracer === before.tracer && config.ignoredBit === before.ignoredBit) return;
      fgraph.forget(1 << ops);
      const all = functionTracer.entryOf(output);
      const entry = config.tracer === 'nop' ? () => IGNORED : config.ignoredBit === 0 ? all : filteredByTask(ctx, output, all);
      use(ops, entry, createTrampolines(ctx, entry, parentsByTask(ctx, output)));
      patchAnew(1 << ops);
    },

    removeInstance(instance: number) {
      // Trampolines that no site calls any more may still know the output.
      if (instance !== 0) outputOf(instance).writer = NO_WRITER;
      ctx.outputs.delete(instance);
    },

    switchTask(pid: number | undefined, ignored: number) {
      ctx.pid = pid ?? host.tid;
      ctx.ignored = ignored;
    },

    setService(kind: ServiceKind, config: unknown) {
      const service = services.get(kind);
      if (service === undefined) return;
      const id = SERVICE_OPS[kind];
      if (trampolines[id] === undefined) {
        const any = createTrampolines(ctx, service.entry);
        use(id, service.entry, service.enter === undefined ? any : { ...any, sync: service.enter });
      }
      if (config === undefined) {
        fgraph.forget(1 << id);
        // A coroutine that sleeps through the end and a new beginning is not of the new one.
        ctx.since[id] = ++ctx.epoch;
      }
      service.configure(config);
    },

    eventRecorded() {
      if (ctx.config.eventStacks) ctx.stackTrace(ctx);
    },

    link({ firstFunction, addresses, kinds }: LinkedFunctions) {
      const end = firstFunction + addresses.length;
      ctx.addresses = grown(ctx.addresses, end);
      masks = grown(masks, end);
      ctx.addresses.set(addresses, firstFunction);
      if (coroutines.length < end) {
        const larger = new Uint8Array(masks.length);
        larger.set(coroutines);
        coroutines = larger;
      }
      for (let i = 0; i < kinds.length; i++) coroutines[firstFunction + i] = IS_COROUTINE[kinds[i]!] ? 1 : 0;
    },

    applyPatches({ functions, masks: wanted }: Patches) {
      let after = armed;
      for (let i = 0; i < functions.length; i++) {
        if (masks[functions[i]!] !== 0) after--;
        if (wanted[i] !== 0) after++;
      }
      if (armed === 0 && after > 0) begin();
      for (let i = 0; i < functions.length; i++) patch(functions[i]!, wanted[i]!);
      if (armed > 0 && after === 0) end();
      armed = after;
    },

    addSubscriber(id: number, ops: FtraceFunctionOps) {
      subscribers.add(id, ops);
      const entry = subscribers.entryOf(id);
      use(id, entry, createTrampolines(ctx, entry));
    },

    removeSubscriber(id: number) {
      subscribers.remove(id);
      fgraph.forget(1 << id);
      use(id, () => IGNORED, undefined);
    },

    discardLatency: latency.discard,

    get overrun() {
      return fgraph.state[OVERRUN]!;
    },
  };
}

/** Asks for parents when any of the outputs does. */
const anyOutput = (ctx: TracerContext): ParentsWanted => ({
  config: {
    get parents() {
      if (ctx.config.parents) return true;
      for (const { config } of ctx.outputs.values()) if (config.parents) return true;
      return false;
    },
  },
});

/** Whether function_graph has more to decide at an entry or exit than to record it. */
function isLimited({ graphFunctions, graphNotrace, maxDepth, retval, threshold }: TracerConfig): boolean {
  return graphFunctions !== undefined || graphNotrace !== undefined || maxDepth !== 0 || retval || threshold !== 0;
}

function grown(array: Uint32Array<ArrayBuffer>, length: number): Uint32Array<ArrayBuffer> {
  if (length <= array.length) return array;
  const larger = new Uint32Array(Math.max(length, array.length * 2));
  larger.set(array);
  return larger;
}
