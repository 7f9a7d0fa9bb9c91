import { FTRACE_EVENTS } from '../../events/ftrace-events.js';
import { BUSY, FRAME_MASK, MAX_FRAMES, OVERRUN, TOP, TORN } from '../../ftrace/fgraph.js';
import { TEXT_HIGH } from '../text-region.js';
import { argumentsBytes, writeArguments } from './appended.js';
import type { EntryFunction } from './entry.js';
import { lost } from './lost.js';
import { FUNCTION_BYTES } from './record-layout.js';
import { Repeats } from './repeats.js';
import type { ThreadTrace, TraceOutput } from './thread-trace.js';

/** The function tracer (kernel/trace/trace_functions.c) of one thread. */
export interface FunctionTracer {
  /** The site's call of a sync function with default options: a token, so that its callees find their parent. */
  readonly enter: (n: number) => number;
  /** The entry for any options and kind of function, into the output of any instance. */
  entryOf(output: TraceOutput): EntryFunction;
}

/** Creates the function tracer of a thread. */
export function createFunctionTracer(ctx: ThreadTrace): FunctionTracer {
  const { fgraph, clock, outermost } = ctx;
  const { state, functions, wants } = fgraph;
  const functionType = FTRACE_EVENTS.function.id;
  const textHigh = TEXT_HIGH;

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
      const { writer } = ctx;
      const at = writer.reserve(FUNCTION_BYTES, now);
      if (at >= 0) {
        const { u32 } = writer;
        if (depth !== 0) {
          u32[at] = functionType;
          u32[at + 1] = ctx.pid;
          u32[at + 2] = ctx.addresses[n]!;
          u32[at + 3] = textHigh;
          u32[at + 4] = ctx.addresses[functions[depth - 1]!]!;
          u32[at + 5] = textHigh;
          writer.commit();
        } else {
          u32[at] = functionType;
          u32[at + 1] = ctx.pid;
          u32[at + 2] = ctx.addresses[n]!;
          u32[at + 3] = textHigh;
          u32[at + 4] = 0;
          u32[at + 5] = 0;
          writer.commit();
          functions[0] = n;
          wants[0] = 0;
          state[TOP] = top + 1;
          outermost();
          return top + 1;
        }
      } else if (state[TORN] !== 0) lost(ctx);
      // | 0: or V8 makes a double of the number, and an integer again, on its way into the array.
      functions[depth] = n | 0;
      wants[depth] = 0;
      state[TOP] = top + 1;
      if (depth === 0) outermost();
      return top + 1;
    } catch {
      state[TORN] = 1;
      return 0;
    }
  }

  const entryOf = (output: TraceOutput): EntryFunction => {
    const repeats = new Repeats(ctx, output);
    return (n, depth, _self, args) => {
      const { writer, config } = output;
      const now = clock();
      const parent = config.parents ? ctx.parent : depth === 0 ? 0 : ctx.addresses[functions[depth - 1]!]!;
      if (config.noRepeats && repeats.fold(ctx.addresses[n]!, parent, now)) return 0;
      const withArguments = config.args && args.length !== 0;
      const at = withArguments
        ? writer.reserveText(FUNCTION_BYTES + argumentsBytes(args.length), now)
        : writer.reserve(FUNCTION_BYTES, now);
      if (at < 0) return lost(ctx);
      const { u32 } = writer;
      u32[at] = functionType;
      u32[at + 1] = ctx.pid;
      u32[at + 2] = ctx.addresses[n]!;
      u32[at + 3] = textHigh;
      u32[at + 4] = parent;
      u32[at + 5] = parent === 0 ? 0 : textHigh;
      if (withArguments) {
        const start = at << 2;
        writer.commitShorter(writeArguments(writer.u8, start + FUNCTION_BYTES, args) - start);
      } else writer.commit();
      if (config.stacks) ctx.stackTrace(output);
      return 0;
    };
  };

  return { enter, entryOf };
}
