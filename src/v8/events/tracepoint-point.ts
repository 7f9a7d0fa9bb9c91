import { ReflectApply as reflectApply } from '../../base/primordials.js';
import type { DeclaredTracepoint } from '../../tracepoint/declared.js';
import type { EventPoint, EventProbe } from './event-point.js';
import type { ProbeArguments } from './event-probe-source.js';

/** A promise that `fentry/tracepoint` takes: such a probe does not throw, and is called without a guard. */
const SAFE = Symbol.for('fentry.tracepoint.safe');

/** A tracepoint as what causes an event, with the values that `args` makes of its arguments. */
export const tracepointPoint = (declared: DeclaredTracepoint, args: ProbeArguments): EventPoint =>
  tracepointsPoint([declared], args);

/**
 * Tracepoints of one name with the same arguments as one point.
 * @param count called with each hit, before it is recorded
 */
export function tracepointsPoint(all: readonly DeclaredTracepoint[], args: ProbeArguments, count?: () => void): EventPoint {
  let registered: EventProbe | undefined;
  return {
    args,
    connect(probe) {
      const before = registered;
      registered = probe && count ? counted(probe, count) : probe;
      if (registered !== undefined) Object.defineProperty(registered, SAFE, { value: true });
      for (const { tracepoint } of all) {
        if (registered !== undefined) tracepoint.registerProbe(registered as never);
        if (before !== undefined) tracepoint.unregisterProbe(before as never);
      }
    },
    // The tracepoint stays: only who hears it changes.
    remove() {},
  };
}

const counted =
  (probe: EventProbe, count: () => void): EventProbe =>
  (...args) => {
    count();
    reflectApply(probe, undefined, args);
  };
