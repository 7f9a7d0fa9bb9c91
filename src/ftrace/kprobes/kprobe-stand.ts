import type { FoundKprobe, KprobePlanner } from './kprobe-planner.js';
import type { PlaceMembers } from './place-members.js';
import type { StatementEnds } from './statement-ends.js';

/** How the kprobes at one place in the middle of a function are called. */
export interface KprobeStand {
  /** Takes what was found for a kprobe that joins. */
  joined(found: FoundKprobe): void;
  /** Puts there what calls the kprobes, if it is not there. */
  arm(): void;
  disarm(): void;
  /** No kprobe has a post handler any more. */
  endPost?(): void;
  /** A call that waits for the end of the statement comes back onto the stack. */
  resumed?(): void;
}

/** What a stand has of its point. */
export interface StandContext {
  readonly found: FoundKprobe;
  readonly planner: KprobePlanner;
  readonly members: PlaceMembers;
  readonly ends: StatementEnds;
  /** Whether any kprobe wants its post handler called. */
  readonly hasPost: () => boolean;
}
