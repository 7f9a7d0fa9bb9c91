import type { ProbeArguments } from './event-probe-source.js';

export type EventProbe = (...args: unknown[]) => void;

/** What causes an event on a thread: a tracepoint, or a probe that was put into the program. */
export interface EventPoint {
  /** What the event's values are made of. */
  readonly args: ProbeArguments;
  /** Calls `probe` each time from now on, and `before` no more; either may be absent. */
  connect(probe: EventProbe | undefined, before: EventProbe | undefined): void;
  /** Takes it out of the program, if it stands in its text. */
  remove(): void;
}
