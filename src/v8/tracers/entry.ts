import { Activation } from '../../ftrace/activation.js';
import { type ExitLists, KEPT_WANTS } from '../../ftrace/exit-lists.js';
import { BUSY, CALLBACK, FRAME_MASK, IN_NOTRACE, MAX_FRAMES, OVERRUN, TOP } from '../../ftrace/fgraph.js';
import type { Trampoline } from './cells.js';
import { torn } from './lost.js';
import type { ThreadTrace } from './thread-trace.js';

/** The call must not be on the shadow stack. */
export const IGNORED = -1;

/**
 * What one ops, or a list of them, does at a function's entry, before its frame is pushed at `depth` (from 0). An entry that
 * needs the time of the call sets `calltimes[depth]`.
 * @returns the ops that want to know of the frame's end, as in Fgraph.wants (0: none, but the frame must be on the stack), or
 * IGNORED
 */
export interface EntryFunction {
  (n: number, depth: number, self: unknown, args: readonly unknown[]): number;
  /** A call of function `n` came while a callback ran, and is not heard. */
  readonly missed?: (n: number) => void;
}

/** Whether to find the caller before an entry. */
export interface ParentsWanted {
  readonly config: { readonly parents: boolean };
}

/** The trampolines of one ops: a coroutine's site keeps an Activation where a sync function's keeps a number. */
export interface Trampolines {
  readonly sync: Trampoline;
  readonly coroutine: Trampoline;
}

/** Makes trampolines that do something around others. */
export type AroundTrampolines = (inner: Trampolines) => Trampolines;

/**
 * The trampolines that serve any entry function.
 * @param asking whose config.parents says whether `entry` wants `ctx.parent`; absent: it never does
 * @param around makes those that sites call; absent: they call these
 */
export function createTrampolines(
  ctx: ThreadTrace,
  entry: EntryFunction,
  asking?: ParentsWanted,
  around?: AroundTrampolines,
): Trampolines {
  const { fgraph, outermost } = ctx;
  const { state, functions, wants, activations, calltimes } = fgraph;

  function mayTrace(n: number): boolean {
    if ((state[BUSY]! & CALLBACK) !== 0) entry.missed?.(n);
    return ctx.nextCall!.mayTrace();
  }

  function sync(n: number, self?: unknown, ...args: unknown[]): number {
    const isHeld = state[BUSY] !== 0;
    if (isHeld && !mayTrace(n)) return 0;
    const top = state[TOP]!;
    const depth = top & FRAME_MASK;
    if (depth >= MAX_FRAMES) {
      state[OVERRUN]!++;
      return 0;
    }
    let want: number;
    try {
      if (asking?.config.parents === true) {
        // Calls during the search (the program's own Array.prototype.map, at worst) are not traced.
        state[BUSY]! |= CALLBACK;
        ctx.parent = ctx.findCaller!(called.sync);
        state[BUSY]! &= ~CALLBACK;
      }
      want = entry(n, depth, self, args);
    } catch {
      state[BUSY]! &= ~CALLBACK;
      return torn(ctx, depth);
    }
    if (want === IGNORED) {
      if (isHeld) ctx.nextCall!.obey();
      return 0;
    }
    functions[depth] = n;
    wants[depth] = want;
    state[TOP] = top + 1;
    if (depth === 0) outermost();
    if (isHeld) ctx.nextCall!.obey();
    return top + 1;
  }

  function coroutine(n: number, self?: unknown, ...args: unknown[]): Activation | 0 {
    const isHeld = state[BUSY] !== 0;
    if (isHeld && !mayTrace(n)) return 0;
    const top = state[TOP]!;
    const depth = top & FRAME_MASK;
    if (depth >= MAX_FRAMES) {
      state[OVERRUN]!++;
      return 0;
    }
    calltimes[depth] = 0;
    let want: number;
    let activation: Activation;
    try {
      if (asking?.config.parents === true) {
        state[BUSY]! |= CALLBACK;
        ctx.parent = ctx.findCaller!(called.coroutine);
        state[BUSY]! &= ~CALLBACK;
      }
      want = entry(n, depth, self, args);
      const silent = state[IN_NOTRACE] !== 0;
      // A coroutine in set_graph_notrace resumes after each wait, and the calls that it makes then are not traced either.
      if (want === IGNORED && silent) want = 0;
      if (want === IGNORED) {
        if (isHeld) ctx.nextCall!.obey();
        return 0;
      }
      activation = new Activation(n, want & KEPT_WANTS, fgraph.period, ctx.epoch, calltimes[depth]!);
      activation.silent = silent;
    } catch {
      state[BUSY]! &= ~CALLBACK;
      return torn(ctx, depth);
    }
    activation.depth = depth + 1;
    activations[depth] = activation;
    functions[depth] = n;
    wants[depth] = want;
    state[TOP] = top + 1;
    if (depth === 0) outermost();
    if (isHeld) ctx.nextCall!.obey();
    return activation;
  }

  const called = around?.({ sync, coroutine }) ?? { sync, coroutine };
  return called;
}

/** An ops of a list. Its entry can change. */
export interface Callee {
  readonly entry: EntryFunction;
}

/** The list function (arch_ftrace_ops_list_func) of these ops: calls each of them, in this order. */
export function createListEntry(callees: readonly Callee[], exitLists: ExitLists): EntryFunction {
  const entry = (n: number, depth: number, self: unknown, args: readonly unknown[]): number => {
    let want = IGNORED;
    for (let i = 0; i < callees.length; i++) {
      const one = callees[i]!.entry(n, depth, self, args);
      if (one !== IGNORED) want = want === IGNORED ? one : exitLists.join(want, one);
    }
    return want;
  };
  return Object.assign(entry, {
    missed(n: number): void {
      for (let i = 0; i < callees.length; i++) callees[i]!.entry.missed?.(n);
    },
  });
}
