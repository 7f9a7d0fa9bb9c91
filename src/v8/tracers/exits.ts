import { EXIT_UNWOUND, FTRACE_EVENTS } from '../../events/ftrace-events.js';
import type { Activation } from '../../ftrace/activation.js';
import {
  BUSY,
  CALLBACK,
  FRAME_MASK,
  IN_GRAPH,
  IN_NOTRACE,
  MAX_FRAMES,
  NATIVE,
  NATIVE_DEPTH_MASK,
  OVERRUN,
  TOP,
  TORN,
  WANTS_FAST,
  WANTS_TRACER,
} from '../../ftrace/fgraph.js';
import { TEXT_HIGH } from '../text-region.js';
import type { SiteCalls } from './cells.js';
import type { FunctionGraph } from './function-graph.js';
import { lost, torn } from './lost.js';
import { EXIT_BYTES, HIGH_HALF } from './record-layout.js';
import type { FrameListeners } from './services.js';
import { isIgnored } from './task-filter.js';
import { NOT_CAUGHT, REJECTS, type ThreadTrace } from './thread-trace.js';

/** How frames end: what sites call, and what the shadow stack calls for frames that exceptions have ended. */
export interface Exits {
  readonly calls: SiteCalls;
  /** Call x for tracers whose frames want no exit record. */
  readonly pop: SiteCalls['x'];
  /** An exception ended a frame; this was noticed at `now` nanoseconds. */
  readonly ended: (depth: number, now: number) => void;
  /** Ends all frames: nothing has caught this. */
  readonly uncaught: (error: unknown) => void;
}

/** One set for each thread, for all ops and periods: the frame says which records its exit makes. */
export function createExits(ctx: ThreadTrace, graph: FunctionGraph, listeners: FrameListeners): Exits {
  const { fgraph, clock } = ctx;
  const { state, functions, calltimes, wants, activations, exitLists } = fgraph;
  const { exit: graphExit, exitFast, suspended, resumed } = graph;
  const { exited } = listeners;
  // In this closure and not in a module, because the compiler folds them here.
  const exitType = FTRACE_EVENTS.funcgraph_exit.id;
  const textHigh = TEXT_HIGH;
  const highHalf = HIGH_HALF;
  const fast = WANTS_FAST;

  /** Contains the plain exit record itself, and is too large to be inlined, on purpose: see function-graph.ts. */
  function exit(token: number, value?: unknown): void {
    try {
      if (token !== state[TOP] && !fgraph.settle(token)) return;
      const depth = (token & FRAME_MASK) - 1;
      state[TOP] = token - 1;
      const want = wants[depth]!;
      if (want === fast) {
        const now = clock();
        const { writer } = ctx;
        const at = writer.reserve(EXIT_BYTES, now);
        if (at >= 0) {
          const { u32 } = writer;
          const calltime = calltimes[depth]!;
          u32[at] = exitType;
          u32[at + 1] = ctx.pid;
          u32[at + 2] = ctx.addresses[functions[depth]!]!;
          u32[at + 3] = textHigh;
          u32[at + 4] = depth + (state[NATIVE]! & NATIVE_DEPTH_MASK);
          u32[at + 5] = state[OVERRUN]!;
          u32[at + 6] = calltime;
          u32[at + 7] = calltime * highHalf;
          u32[at + 8] = now;
          u32[at + 9] = now * highHalf;
          writer.commit();
        } else if (state[TORN] !== 0) lost(ctx);
        return;
      }
      const n = functions[depth]!;
      if ((want & WANTS_TRACER) !== 0) graphExit(depth, n, calltimes[depth]!, clock(), 0, value);
      if ((want & ~WANTS_TRACER) !== 0) exited(want, depth, n, value, false);
      if (state[IN_GRAPH]! > depth) state[IN_GRAPH] = 0;
      if (state[IN_NOTRACE]! > depth) state[IN_NOTRACE] = 0;
    } catch {
      state[TORN] = 1;
    }
  }

  /**
   * Does the same as `exit` for every frame. Sites call it under other tracers, whose frames want nothing. With one function
   * for both, many exits would write no record, and the part that records would be too rare for V8 to inline the clock and the
   * writer into it: 97 ns a call instead of 87 for a program that had the function tracer on before.
   */
  function pop(token: number, value?: unknown): void {
    try {
      if (token !== state[TOP] && !fgraph.settle(token)) return;
      const depth = (token & FRAME_MASK) - 1;
      state[TOP] = token - 1;
      const want = wants[depth]!;
      if (want !== 0) finish(depth, want, value);
    } catch {
      state[TORN] = 1;
    }
  }

  /** The end of any frame, after it was popped. */
  function finish(depth: number, want: number, value: unknown, isCoroutine?: boolean): void {
    const n = functions[depth]!;
    if (want === WANTS_FAST) exitFast(depth, n, calltimes[depth]!, clock());
    else {
      if ((want & WANTS_TRACER) !== 0) graphExit(depth, n, calltimes[depth]!, clock(), 0, value);
      if ((want & ~WANTS_TRACER) !== 0) exited(want, depth, n, value, false, isCoroutine);
      fgraph.leaveMarks(depth);
    }
  }

  function ended(depth: number, now: number): void {
    const want = wants[depth]!;
    const n = functions[depth]!;
    const activation = activations[depth];
    if (activation?.waitsUnseen === true && !fgraph.isRecorded(depth)) {
      wait(activation, depth, now);
      return;
    }
    if (activation !== undefined) activation.done = true;
    const isRecorded = (want !== WANTS_FAST && (want & WANTS_TRACER) === 0) || fgraph.isRecorded(depth);
    if (!isRecorded) graphExit(depth, n, calltimes[depth]!, now, EXIT_UNWOUND, undefined);
    if (want !== WANTS_FAST && (want & ~WANTS_TRACER) !== 0) exited(want, depth, n, undefined, true);
  }

  /** Removes a running coroutine's frame from the stack, with the dead ones above it. Returns false if it does not run. */
  function leave(activation: Activation): boolean {
    const { depth } = activation;
    if (depth === 0 || activation.done || activations[depth - 1] !== activation) return false;
    fgraph.unwindTo(depth);
    state[TOP]!--;
    activations[depth - 1] = undefined;
    activation.depth = 0;
    return true;
  }

  function exitCoroutine(activation: Activation, result?: unknown): void {
    const { depth } = activation;
    if (!leave(activation)) {
      activation.done = true;
      return;
    }
    activation.done = true;
    finish(depth - 1, wants[depth - 1]!, result, true);
  }

  function leaveCoroutine(activation: Activation): void {
    const depth = activation.depth - 1;
    if (!leave(activation)) return;
    activation.done = true;
    const want = wants[depth]!;
    const n = functions[depth]!;
    if ((want & WANTS_TRACER) !== 0) graphExit(depth, n, calltimes[depth]!, clock(), EXIT_UNWOUND, undefined);
    if ((want & ~WANTS_TRACER) !== 0) exited(want, depth, n, undefined, true, true);
    fgraph.leaveMarks(depth);
  }

  function suspend(activation: Activation): void {
    const { depth } = activation;
    if (!leave(activation)) return;
    wait(activation, depth - 1, clock());
    fgraph.leaveMarks(depth - 1);
  }

  /** The frame that it had at `depth` is left until it resumes. */
  function wait(activation: Activation, depth: number, now: number): void {
    activation.suspended = now;
    const want = wants[depth]!;
    activation.exits = exitLists.of(want);
    if ((want & WANTS_TRACER) !== 0) suspended(depth, activation, now);
    if ((want & ~WANTS_TRACER) !== 0) listeners.suspended(want, depth, activation, now);
  }

  /** Puts a suspended coroutine back onto the stack; for a running one, only removes the dead frames above it. */
  function resume(activation: Activation): void {
    if (activation.depth !== 0) {
      if (activations[activation.depth - 1] === activation) fgraph.unwindTo(activation.depth);
      return;
    }
    if (activation.done || activation.period !== fgraph.period) return;
    // A coroutine that a subscriber's callback resumes is not traced; the frame that the callback is called for is not on the
    // stack yet.
    if ((state[BUSY]! & CALLBACK) !== 0) return;
    fgraph.dropUnwound();
    const depth = fgraph.depth;
    if (depth >= MAX_FRAMES) return;
    if (activation.epoch !== ctx.epoch) stillWanted(activation);
    const now = clock();
    activation.slept += now - activation.suspended;
    activation.resumed = now;
    activation.depth = depth + 1;
    activations[depth] = activation;
    functions[depth] = activation.fn;
    // In a task that the tracer does not trace, the coroutine resumes without the tracer.
    const own = isIgnored(ctx, ctx) ? activation.wants & ~WANTS_TRACER : activation.wants;
    const want = exitLists.join(own, exitLists.wantAgain(activation.exits));
    wants[depth] = want;
    calltimes[depth] = ctx.config.sleepTime ? activation.called : activation.called + activation.slept;
    state[TOP]!++;
    if (activation.silent && state[IN_NOTRACE] === 0 && ctx.config.graphNotrace !== undefined) state[IN_NOTRACE] = depth + 1;
    if ((want & WANTS_TRACER) !== 0) resumed(depth, activation, now);
    if ((want & ~WANTS_TRACER) !== 0) listeners.resumed(want, depth, activation, now);
    if (depth === 0) ctx.outermost();
  }

  /** Drops the ops that came into use after the coroutine began: their ids belonged to others then. */
  function stillWanted(activation: Activation): void {
    for (let id = 0; id < ctx.since.length; id++) {
      if (ctx.since[id]! > activation.epoch) activation.wants &= ~(1 << id);
    }
    activation.epoch = ctx.epoch;
  }

  function resumeAwait(activation: Activation): void {
    if (activation.depth === 0) fgraph.unwindTo(0);
    resume(activation);
  }

  /**
   * The end of a coroutine that may have returned before: if it was suspended, it resumes first, and then ends as by an
   * exception.
   */
  function died(activation: Activation, nested: unknown): void {
    if (activation.done) return;
    if (nested) resume(activation);
    else resumeAwait(activation);
    if (!nested) ctx.caught = REJECTS;
    leaveCoroutine(activation);
    activation.done = true;
    ctx.caught = NOT_CAUGHT;
  }

  /** @param unknown given where the value is not: the `catch` has a pattern */
  function unwind(mark: number, caught: unknown = NOT_CAUGHT, unknown?: unknown): void {
    ctx.caught = unknown === undefined ? caught : NOT_CAUGHT;
    try {
      fgraph.unwind(mark);
    } catch {
      torn(ctx);
    }
    ctx.caught = NOT_CAUGHT;
  }

  function uncaught(error: unknown): void {
    ctx.caught = error;
    try {
      fgraph.unwindTo(0);
    } finally {
      ctx.caught = NOT_CAUGHT;
    }
  }

  /** A coroutine comes back, perhaps in a `catch`. */
  function comeBack(resume: (activation: Activation) => void, activation: unknown, caught: unknown, unknown: unknown): void {
    ctx.caught = unknown === undefined ? caught : NOT_CAUGHT;
    guard(resume, activation);
    ctx.caught = NOT_CAUGHT;
  }

  function guard(exit: (activation: Activation, value?: unknown) => void, activation: unknown, value?: unknown): void {
    try {
      exit(activation as Activation, value);
    } catch {
      ctx.caught = NOT_CAUGHT;
      torn(ctx);
    }
  }

  const calls: SiteCalls = {
    x: exit,
    y: (activation, value) => guard(exitCoroutine, activation, value),
    z(activation, isUnseen) {
      if (isUnseen === 1) (activation as Activation).waitsUnseen = true;
      else guard(suspend, activation);
    },
    w: (activation, caught = NOT_CAUGHT, unknown = undefined) => comeBack(resumeAwait, activation, caught, unknown),
    v: (activation, caught = NOT_CAUGHT, unknown = undefined) => comeBack(resume, activation, caught, unknown),
    k: (activation, nested) => guard(died, activation, nested),
    d: () => fgraph.mark(),
    u: unwind,
  };
  return { calls, pop, ended, uncaught };
}
