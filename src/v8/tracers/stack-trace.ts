import { FTRACE_EVENTS } from '../../events/ftrace-events.js';
import { BUSY, CALLBACK, INTERRUPTED } from '../../ftrace/fgraph.js';
import { TEXT_HIGH } from '../text-region.js';
import { lost } from './lost.js';
import type { StackTrace, ThreadTrace } from './thread-trace.js';

/** The most frames in a record: it must fit into a page. */
const MAX_STACK = 500;
/** Bytes of a record before its addresses, and of each address. */
const STACK_BYTES = 16;
const ADDRESS_BYTES = 8;

/** Creates the function that writes stack traces (__trace_stack in kernel/trace/trace.c), for one thread. */
export function createStackTrace(ctx: ThreadTrace): StackTrace {
  const { fgraph, clock } = ctx;
  const { state } = fgraph;
  const stackType = FTRACE_EVENTS.kernel_stack.id;
  const textHigh = TEXT_HIGH;
  const addresses = new Uint32Array(MAX_STACK);

  return (output) => {
    const busy = state[BUSY]!;
    let count: number;
    try {
      // Calls of the program during the walk (a replaced Array.prototype.map, at worst) are not traced.
      state[BUSY]! |= CALLBACK;
      count = ctx.walkStack(addresses, true);
    } finally {
      state[BUSY] = busy | (state[BUSY]! & INTERRUPTED);
    }
    const { writer } = output;
    const at = writer.reserve(STACK_BYTES + count * ADDRESS_BYTES, clock());
    if (at < 0) {
      lost(ctx);
      return;
    }
    const { u32 } = writer;
    u32[at] = stackType;
    u32[at + 1] = ctx.pid;
    u32[at + 2] = count;
    u32[at + 3] = 0;
    for (let i = 0; i < count; i++) {
      u32[at + 4 + i * 2] = addresses[i]!;
      u32[at + 5 + i * 2] = textHigh;
    }
    writer.commit();
  };
}
