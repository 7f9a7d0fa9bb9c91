import { DeepestStack, STACK_ENTRIES } from '../../ftrace/deepest-stack.js';
import { BUSY, CALLBACK, FRAME_CAPACITY, INTERRUPTED } from '../../ftrace/fgraph.js';
import type { StackTracerConfig } from '../../ftrace/tracers/services.js';
import type { StackDepth } from '../call-stack.js';
import { textAddress } from '../text-region.js';
import type { TraceService } from './services.js';
import type { ThreadTrace } from './thread-trace.js';

const NOTHING = new Float64Array(0);

/**
 * The stack tracer of one thread (kernel/trace/trace_stack.c): measures how deep the stack is at each call, and records the
 * deepest. The place of a frame on the stack is known from when its function was called, or resumed after a wait.
 */
export function createStackTracer(ctx: ThreadTrace, bit: number): TraceService {
  const { fgraph } = ctx;
  const { state, functions, wants } = fgraph;
  /** Bytes in use at each frame of the shadow stack that is measured. */
  const depths = new Int32Array(FRAME_CAPACITY);
  let walked: Uint32Array | undefined;
  let frames = NOTHING;
  let deepest: DeepestStack | undefined;
  let cpu = 0;
  let measure: StackDepth | undefined;

  /** The last stack that was written, or could not be written completely because the thread's own stack was full. */
  let found = NOTHING;
  let measured: number[] = [];
  let places: number[] = [];
  let torn = false;

  function record(n: number, depth: number): void {
    if (walked === undefined) {
      walked = new Uint32Array(STACK_ENTRIES);
      frames = new Float64Array(STACK_ENTRIES);
    }
    const count = ctx.walkStack(walked, false);
    // The stack was too full to walk it: the callers of this function were measured, and are recorded.
    if (count === 0 || !deepest!.raise(depths[depth]!)) return;
    torn = true;
    for (let i = 0; i < count; i++) frames[i] = textAddress(walked[i]!);
    found = frames.subarray(0, count);
    measured = [textAddress(ctx.addresses[n]!)];
    places = [depths[depth]!];
    for (let d = depth - 1; d >= 0; d--) {
      if ((wants[d]! & bit) === 0) continue;
      measured[measured.length] = textAddress(ctx.addresses[functions[d]!]!);
      places[places.length] = depths[d]!;
    }
    finish();
  }

  function finish(): void {
    deepest!.write(cpu, found, measured, places);
    torn = false;
  }

  /** Function `n` is at `depth` of the shadow stack, from 0. Calls of the program in here are not traced. */
  function check(n: number, depth: number): void {
    if (measure === undefined || deepest === undefined) return;
    const busy = state[BUSY]!;
    state[BUSY]! |= CALLBACK;
    try {
      const bytes = measure();
      depths[depth] = bytes;
      if (torn) finish();
      if (bytes > deepest.maxSize) record(n, depth);
    } catch {
      // The stack is full: fentry's own frames do not fit onto it any more.
    } finally {
      state[BUSY] = busy | (state[BUSY]! & INTERRUPTED);
    }
  }

  return {
    entry(n, depth) {
      check(n, depth);
      return bit;
    },

    resumed(depth, activation) {
      check(activation.fn, depth);
    },

    configure(config) {
      const wanted = config as StackTracerConfig | undefined;
      if (wanted?.memory === deepest?.memory) return;
      measure?.end();
      measure = undefined;
      deepest = undefined;
      if (wanted === undefined) return;
      deepest = new DeepestStack(wanted.memory);
      cpu = wanted.cpu;
      measure = ctx.createStackDepth();
    },
  };
}
