import { type DeclaredTracepoint, listenToTracepoints } from '../../../../tracepoint/declared.js';
import type { NodeEventSystem, SourceThread } from '../node-event-system.js';

/** What a probe of an event was called with: its arguments by name. */
export interface Call extends Readonly<Record<string, unknown>> {
  readonly event: string;
}

/** A thread whose clock counts its readings. */
export const testThread: SourceThread = {
  cpu: 0,
  tid: process.pid,
  clock: () => Number(process.hrtime.bigint()),
  pid: () => process.pid,
};

/** The tracepoints of a system that is declared in this thread, once. */
function tracepointsOf(system: NodeEventSystem): readonly DeclaredTracepoint[] {
  const all: DeclaredTracepoint[] = [];
  const find = (): void =>
    listenToTracepoints((one) => {
      if (one.tracepoint.system === system.system) all.push(one);
    });
  find();
  if (all.length > 0) return all;
  system.declare(testThread);
  return all;
}

/** Registers a probe with each event of a system (or with those named) while `work` runs; the fields of each record as they would be made. */
export async function recordCalls(
  system: NodeEventSystem,
  work: () => unknown,
  events?: readonly string[],
): Promise<readonly Call[]> {
  const calls: Call[] = [];
  const stops = tracepointsOf(system)
    .filter(({ tracepoint }) => events === undefined || events.includes(tracepoint.event))
    .map(({ tracepoint, parts }) => {
      const { event } = tracepoint;
      const fields = Object.entries(parts?.fields ?? {});
      const probe = (...values: unknown[]): void => {
        calls.push({
          event,
          ...Object.fromEntries(fields.map(([name, { get }]) => [name, (get as (...args: unknown[]) => unknown)(...values)])),
        });
      };
      tracepoint.registerProbe(probe as never);
      return () => tracepoint.unregisterProbe(probe as never);
    });
  try {
    await work();
  } finally {
    for (const stop of stops) stop();
  }
  return calls;
}
