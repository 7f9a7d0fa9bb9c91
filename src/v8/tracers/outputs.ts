import { NO_WRITER } from '../../ftrace/tracers/record-writer.js';
import { NOP_CONFIG } from '../../ftrace/tracers/tracer-config.js';
import type { ThreadTrace, TraceOutput } from './thread-trace.js';

/** The number of the top level, whose output is the context itself. */
const TOP = 0;

/** The output of an instance; created when it is first needed. */
export function outputOf(ctx: ThreadTrace, instance: number): TraceOutput {
  if (instance === TOP) return ctx;
  let output = ctx.outputs.get(instance);
  if (output === undefined) {
    output = { writer: NO_WRITER, config: NOP_CONFIG };
    ctx.outputs.set(instance, output);
  }
  return output;
}

/** Drops the output of an instance; trampolines that no site calls any more may still have it. */
export function dropOutput(ctx: ThreadTrace, instance: number): void {
  if (instance !== TOP) outputOf(ctx, instance).writer = NO_WRITER;
  ctx.outputs.delete(instance);
}

/** Whether any of the outputs wants parents. */
export function anyWantsParents(ctx: ThreadTrace): boolean {
  if (ctx.config.parents) return true;
  for (const { config } of ctx.outputs.values()) if (config.parents) return true;
  return false;
}
