import { BUSY, FRAME_CAPACITY, FRAME_MASK, MAX_FRAMES, OVERRUN, TOP, TORN } from '../../ftrace/fgraph.js';
import { FunctionProfile } from '../../ftrace/function-profile.js';
import type { ProfilerConfig } from '../../ftrace/tracers/services.js';
import type { TraceService } from './services.js';
import type { ThreadTrace } from './thread-trace.js';

const NONE = new Float64Array(0);

/**
 * The function profiler of one thread (ftrace_profile in kernel/trace/ftrace.c): counts calls when they begin, times when
 * they end. It records nothing.
 */
export function createProfiler(ctx: ThreadTrace, bit: number): TraceService {
  const { fgraph, clock, outermost } = ctx;
  const { state, functions, calltimes, wants } = fgraph;
  /** When the present part of each frame began: for a coroutine, when it last resumed. */
  const starts = new Float64Array(FRAME_CAPACITY);
  /** The time of profiled functions inside each frame. */
  const subtimes = new Float64Array(FRAME_CAPACITY);
  let profile: FunctionProfile | undefined;
  let hits: Float64Array = NONE;
  let time: Float64Array = NONE;
  let squares: Float64Array = NONE;
  let sleepTime = true;
  let graphTime = true;

  /** Too large to be inlined, on purpose: see function-graph.ts. */
  function enter(n: number): number {
    const top = state[TOP]!;
    const depth = top & FRAME_MASK;
    if (state[BUSY] !== 0) return ctx.nextCall!.enter(n, enter);
    if (depth >= MAX_FRAMES) {
      state[OVERRUN]!++;
      return 0;
    }
    try {
      const now = clock();
      calltimes[depth] = now;
      starts[depth] = now;
      subtimes[depth] = 0;
      hits[n]!++;
      functions[depth] = n | 0;
      wants[depth] = bit;
      state[TOP] = top + 1;
      if (depth === 0) outermost();
      return top + 1;
    } catch {
      state[TORN] = 1;
      return 0;
    }
  }

  function entry(n: number, depth: number): number {
    const now = clock();
    calltimes[depth] = now;
    starts[depth] = now;
    subtimes[depth] = 0;
    hits[n]!++;
    return bit;
  }

  /** A part of the frame at `depth` counts as time inside the enclosing profiled frame. */
  function spend(depth: number, stretch: number): void {
    for (let around = depth - 1; around >= 0; around--) {
      if ((wants[around]! & bit) === 0) continue;
      subtimes[around]! += stretch;
      return;
    }
  }

  function exited(depth: number, n: number): void {
    const now = clock();
    let spent = now - calltimes[depth]!;
    if (!graphTime) {
      spend(depth, now - starts[depth]!);
      spent = spent > subtimes[depth]! ? spent - subtimes[depth]! : 0;
    }
    time[n]! += spent;
    squares[n]! += spent * spent;
  }

  return {
    enter,
    entry,
    exited,

    suspended(depth, activation, now) {
      if (!graphTime) spend(depth, now - starts[depth]!);
      activation.subtime = subtimes[depth]!;
    },

    resumed(depth, activation, now) {
      starts[depth] = now;
      subtimes[depth] = activation.subtime;
      calltimes[depth] = sleepTime ? activation.called : activation.called + activation.slept;
    },

    configure(config) {
      if (config === undefined) return;
      const wanted = config as ProfilerConfig;
      ({ sleepTime, graphTime } = wanted);
      if (wanted.memory === profile?.memory) return;
      profile = new FunctionProfile(wanted.memory);
      ({ hits, time, squares } = profile);
    },
  };
}
