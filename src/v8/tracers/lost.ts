import { IN_GRAPH, IN_NOTRACE, MAX_FRAMES, TORN } from '../../ftrace/fgraph.js';
import type { ThreadTrace } from './thread-trace.js';

/**
 * A trampoline may be the call that overflows the program's stack. Then it must not throw, because without it the program might
 * have had enough stack, and an event that it had begun must not block the next one.
 * @param depth of the frame that was about to be pushed: marks that were set for it are removed
 * @returns the token of a call that is not traced
 */
export function torn(ctx: ThreadTrace, depth = MAX_FRAMES): 0 {
  const { state } = ctx.fgraph;
  state[TORN] = 1;
  if (state[IN_GRAPH]! > depth) state[IN_GRAPH] = 0;
  if (state[IN_NOTRACE]! > depth) state[IN_NOTRACE] = 0;
  return 0;
}

/** A record could not be reserved: recording is off, the buffer is full, or an event was torn. */
export function lost(ctx: ThreadTrace): 0 {
  const { state } = ctx.fgraph;
  if (state[TORN] !== 0) {
    state[TORN] = 0;
    ctx.writer.abandon();
    for (const { writer } of ctx.outputs.values()) writer.abandon();
  }
  return 0;
}
