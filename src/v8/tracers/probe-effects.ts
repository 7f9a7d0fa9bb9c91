import { isSoftDisabled, setSoftDisabled } from '../../events/event-words.js';
import type { ProbeActionNeeds } from './probe-actions.js';
import type { ThreadTrace, TraceOutput } from './thread-trace.js';

/** The effects of a thread's probes. An instance whose buffers the thread does not have yet is skipped. */
export function createProbeEffects(ctx: ThreadTrace): ProbeActionNeeds {
  const outputOf = (instance: number): TraceOutput | undefined => (instance === 0 ? ctx : ctx.outputs.get(instance));
  return {
    tracingIsOn: (instance) => outputOf(instance)?.writer.tracingOn === true,
    setTracing: (instance, on) => outputOf(instance)?.writer.setTracingOn(on),
    snapshot: (instance) => outputOf(instance)?.writer.snapshotNow(),
    stack(instance) {
      const output = outputOf(instance);
      if (output !== undefined) ctx.stackTrace(output);
    },
    dump(ownCpuOnly) {
      // Events after this moment must not be printed.
      ctx.writer.setTracingOn(false);
      ctx.dump(ownCpuOnly);
    },
    eventIsOn: (event) => !isSoftDisabled(ctx.eventWords, event),
    setEvent: (event, on) => setSoftDisabled(ctx.eventWords, event, !on),
  };
}
