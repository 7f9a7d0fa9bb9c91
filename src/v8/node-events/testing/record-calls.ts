import type { NodeEventSystem } from '../node-event-system.js';
import { EventLog } from './event-log.js';

/** A record: the name of its event, and its fields. */
export interface Call extends Readonly<Record<string, unknown>> {
  readonly event: string;
}

/** The records of a system's events while `work` runs: of all its events, or of those named. */
export async function recordCalls(
  system: NodeEventSystem,
  work: () => unknown,
  events?: readonly string[],
): Promise<readonly Call[]> {
  const log = new EventLog(system);
  if (events?.length !== 0) log.enable(...(events ?? []));
  try {
    await work();
  } finally {
    log.disable();
  }
  return log.records.map(([event, fields]) => ({ ...fields, event }));
}
