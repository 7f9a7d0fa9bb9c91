import { ENTRY_RESUMED, EXIT_SUSPENDED, FTRACE_EVENTS } from '../../events/ftrace-events.js';
import type { Activation } from '../../ftrace/activation.js';
import {
  BUSY,
  FRAME_MASK,
  IN_GRAPH,
  IN_NOTRACE,
  LIMITED,
  MAX_FRAMES,
  NATIVE,
  NATIVE_DEPTH_MASK,
  NATIVE_MARK,
  OVERRUN,
  TOP,
  TORN,
  WANTS_FAST,
  WANTS_TRACER,
} from '../../ftrace/fgraph.js';
import { TEXT_HIGH } from '../text-region.js';
import { argumentsBytes, resultBytes, writeArguments, writeResult } from './appended.js';
import { type EntryFunction, IGNORED } from './entry.js';
import { lost } from './lost.js';
import { ACTIVATION_BYTES, ENTRY_BYTES, EXIT_BYTES, HIGH_HALF } from './record-layout.js';
import type { ThreadTrace } from './thread-trace.js';

/** A frame that set_graph_notrace keeps on the stack: its end only ends the notrace part. */
const NO_RECORD = 0;

/** The parts of function_graph that its own trampolines and the list function share. Times in nanoseconds, depths from 0. */
export interface FunctionGraph {
  /** The site's call with default options, for a sync function: its token, or 0 when it is not traced. */
  readonly enter: (n: number) => number;
  /** The entry for any options and kind of function. */
  readonly entry: EntryFunction;
  /** Writes a frame's exit record; a `value` of undefined is not shown. */
  readonly exit: (depth: number, n: number, calltime: number, now: number, flags: number, value: unknown) => void;
  /** The plain exit record, without threshold and result. */
  readonly exitFast: (depth: number, n: number, calltime: number, now: number) => void;
  readonly suspended: (depth: number, activation: Activation, now: number) => void;
  readonly resumed: (depth: number, activation: Activation, now: number) => void;
}

const inBits = (bits: Uint32Array, n: number): boolean => n >>> 5 < bits.length && (bits[n >>> 5]! & (1 << (n & 31))) !== 0;

/** The function_graph tracer (kernel/trace/trace_functions_graph.c) of one thread. */
export function createFunctionGraph(ctx: ThreadTrace): FunctionGraph {
  // Local constants are immutable slots of one closure's context: the compiler folds them, which it does not with imports.
  const { fgraph, clock, outermost } = ctx;
  const { state, functions, calltimes, wants } = fgraph;
  const entryType = FTRACE_EVENTS.funcgraph_entry.id;
  const exitType = FTRACE_EVENTS.funcgraph_exit.id;
  const textHigh = TEXT_HIGH;
  const highHalf = HIGH_HALF;
  const fast = WANTS_FAST;

  /*
   * This one function has everything for a call without arguments, also the cold parts, on purpose: V8 does not inline a
   * function of more than 460 bytes of bytecode. When it was inlined into a traced function, it used up that function's budget
   * before the clock and the writer were inlined, and every timestamp between them became a heap number: 55 bytes for each call
   * on Node 20, none like this, at the same speed (bench/function-event).
   */
  function enter(n: number): number {
    const top = state[TOP]!;
    const depth = top & FRAME_MASK;
    if (state[BUSY] !== 0) return ctx.nextCall!.enter(n, enter);
    if (depth >= MAX_FRAMES) {
      state[OVERRUN]!++;
      return 0;
    }
    let want = fast;
    /** The mark that this frame sets: IN_GRAPH, IN_NOTRACE, or 0 for none. */
    let mark = 0;
    let recorded = true;
    try {
      if (state[LIMITED] !== 0) {
        const { graphFunctions, graphNotrace, maxDepth, threshold } = ctx.config;
        const native = state[NATIVE]!;
        if (state[IN_NOTRACE] !== 0 || (native & NATIVE_MARK.IN_NOTRACE) !== 0) return 0;
        want = WANTS_TRACER;
        if (graphNotrace !== undefined && inBits(graphNotrace, n)) {
          mark = IN_NOTRACE;
          want = NO_RECORD;
        } else {
          if (graphFunctions !== undefined && state[IN_GRAPH] === 0 && (native & NATIVE_MARK.IN_GRAPH) === 0) {
            if (!inBits(graphFunctions, n)) return 0;
            mark = IN_GRAPH;
          }
          if (maxDepth !== 0 && depth + (native & NATIVE_DEPTH_MASK) >= maxDepth) return 0;
        }
        recorded = threshold === 0 && want !== NO_RECORD;
      }
      const now = clock();
      calltimes[depth] = now;
      if (recorded) {
        const { writer } = ctx;
        const at = writer.reserve(ENTRY_BYTES, now);
        if (at < 0) {
          // As in the kernel: a call that cannot be recorded is not put on the stack, so its exit is not recorded either.
          if (state[TORN] !== 0) lost(ctx);
          return 0;
        }
        const { u32 } = writer;
        u32[at] = entryType;
        u32[at + 1] = ctx.pid;
        u32[at + 2] = ctx.addresses[n]!;
        u32[at + 3] = textHigh;
        u32[at + 4] = depth + (state[NATIVE]! & NATIVE_DEPTH_MASK);
        writer.commit();
      }
    } catch {
      state[TORN] = 1;
      return 0;
    }
    if (mark !== 0) state[mark] = depth + 1;
    // | 0: or V8 makes a double of the number, and an integer again, on its way into the array.
    functions[depth] = n | 0;
    wants[depth] = want;
    state[TOP] = top + 1;
    if (depth === 0) outermost();
    return top + 1;
  }

  function entry(n: number, depth: number, _self: unknown, args: readonly unknown[]): number {
    const { config } = ctx;
    const native = state[NATIVE]!;
    if (state[IN_NOTRACE] !== 0 || (native & NATIVE_MARK.IN_NOTRACE) !== 0) return IGNORED;
    if (config.graphNotrace !== undefined && inBits(config.graphNotrace, n)) {
      state[IN_NOTRACE] = depth + 1;
      return NO_RECORD;
    }
    let root = false;
    if (config.graphFunctions !== undefined && state[IN_GRAPH] === 0 && (native & NATIVE_MARK.IN_GRAPH) === 0) {
      if (!inBits(config.graphFunctions, n)) return IGNORED;
      root = true;
    }
    if (config.maxDepth !== 0 && depth + (native & NATIVE_DEPTH_MASK) >= config.maxDepth) return IGNORED;
    const now = clock();
    calltimes[depth] = now;
    let want = WANTS_TRACER;
    if (config.threshold === 0) {
      const shown = config.args && args.length !== 0 ? args : undefined;
      want = writeEntry(n, depth, now, shown);
    }
    if (root && want !== IGNORED) state[IN_GRAPH] = depth + 1;
    return want;
  }

  function writeEntry(n: number, depth: number, now: number, args: readonly unknown[] | undefined): number {
    const { writer } = ctx;
    const at =
      args !== undefined ? writer.reserveText(ENTRY_BYTES + argumentsBytes(args.length), now) : writer.reserve(ENTRY_BYTES, now);
    if (at < 0) {
      lost(ctx);
      return IGNORED;
    }
    const { u32 } = writer;
    u32[at] = entryType;
    u32[at + 1] = ctx.pid;
    u32[at + 2] = ctx.addresses[n]!;
    u32[at + 3] = textHigh;
    u32[at + 4] = depth + (state[NATIVE]! & NATIVE_DEPTH_MASK);
    if (args !== undefined) {
      const start = at << 2;
      writer.u8[start + ENTRY_BYTES] = 0;
      const end = writeArguments(writer.u8, start + ENTRY_BYTES + 1, args);
      writer.commitShorter(end - start);
    } else {
      writer.commit();
    }
    return WANTS_TRACER;
  }

  function exit(depth: number, n: number, calltime: number, now: number, flags: number, value: unknown): void {
    const { threshold, retval } = ctx.config;
    if (threshold !== 0 && now - calltime < threshold) return;
    writeExit(depth, n, calltime, now, flags, retval ? value : undefined);
  }

  function exitFast(depth: number, n: number, calltime: number, now: number): void {
    writeExit(depth, n, calltime, now, 0, undefined);
  }

  function writeExit(depth: number, n: number, calltime: number, now: number, flags: number, value: unknown): void {
    const { writer } = ctx;
    const at =
      value !== undefined
        ? writer.reserveText(EXIT_BYTES + resultBytes(), now)
        : writer.reserve(flags !== 0 ? EXIT_BYTES + 4 : EXIT_BYTES, now);
    if (at < 0) {
      lost(ctx);
      return;
    }
    const { u32 } = writer;
    u32[at] = exitType;
    u32[at + 1] = ctx.pid;
    u32[at + 2] = ctx.addresses[n]!;
    u32[at + 3] = textHigh;
    u32[at + 4] = depth + (state[NATIVE]! & NATIVE_DEPTH_MASK);
    u32[at + 5] = state[OVERRUN]!;
    u32[at + 6] = calltime;
    u32[at + 7] = calltime * highHalf;
    u32[at + 8] = now;
    u32[at + 9] = now * highHalf;
    if (value !== undefined) {
      const start = at << 2;
      const end = writeResult(writer.u8, start + EXIT_BYTES, flags, value);
      writer.commitShorter(end - start);
    } else {
      if (flags !== 0) u32[at + 10] = flags;
      writer.commit();
    }
  }

  function suspended(depth: number, { fn, resumed: since, called }: Activation, now: number): void {
    if (ctx.config.threshold !== 0) return;
    const { writer } = ctx;
    const at = writer.reserve(EXIT_BYTES + ACTIVATION_BYTES, now);
    if (at < 0) {
      lost(ctx);
      return;
    }
    const { u32 } = writer;
    u32[at] = exitType;
    u32[at + 1] = ctx.pid;
    u32[at + 2] = ctx.addresses[fn]!;
    u32[at + 3] = textHigh;
    u32[at + 4] = depth + (state[NATIVE]! & NATIVE_DEPTH_MASK);
    u32[at + 5] = state[OVERRUN]!;
    u32[at + 6] = since;
    u32[at + 7] = since * highHalf;
    u32[at + 8] = now;
    u32[at + 9] = now * highHalf;
    u32[at + 10] = EXIT_SUSPENDED;
    u32[at + 11] = called;
    writer.commit();
  }

  function resumed(depth: number, { fn, called }: Activation, now: number): void {
    const { config, writer } = ctx;
    // A coroutine that was inside a set_graph_function function when it was suspended comes back as the graph's root.
    if (config.graphFunctions !== undefined && state[IN_GRAPH] === 0) state[IN_GRAPH] = depth + 1;
    if (config.threshold !== 0) return;
    const at = writer.reserve(ENTRY_BYTES + ACTIVATION_BYTES, now);
    if (at < 0) {
      lost(ctx);
      return;
    }
    const { u32 } = writer;
    u32[at] = entryType;
    u32[at + 1] = ctx.pid;
    u32[at + 2] = ctx.addresses[fn]!;
    u32[at + 3] = textHigh;
    u32[at + 4] = depth + (state[NATIVE]! & NATIVE_DEPTH_MASK);
    u32[at + 5] = ENTRY_RESUMED;
    u32[at + 6] = called;
    writer.commit();
  }

  return { enter, entry, exit, exitFast, suspended, resumed };
}
