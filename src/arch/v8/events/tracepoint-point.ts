import type { DeclaredTracepoint } from '../../../tracepoint/declared.js';
import type { EventPoint } from './event-point.js';
import type { ProbeArguments } from './probe-source.js';

/** A promise that `fentry/tracepoint` takes: such a probe does not throw, and is called without a guard. */
const SAFE = Symbol.for('fentry.tracepoint.safe');

/** A tracepoint as what causes an event, with the values that `args` makes of its arguments. */
export function tracepointPoint({ tracepoint }: DeclaredTracepoint, args: ProbeArguments): EventPoint {
  return {
    args,
    connect(probe, before) {
      if (probe !== undefined) {
        Object.defineProperty(probe, SAFE, { value: true });
        tracepoint.registerProbe(probe as never);
      }
      if (before !== undefined) tracepoint.unregisterProbe(before as never);
    },
  };
}
