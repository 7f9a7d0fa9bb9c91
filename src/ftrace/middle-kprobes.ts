import type { FoundKprobe, KprobePlanner } from './kprobe-planner.js';
import { type PlaceMember, PlaceMembers } from './place-members.js';
import type { ProbeHost, ProgramProbe } from './program-probe.js';
import { StatementEnds } from './statement-ends.js';

/** The kprobes that share one place in the middle of a function. */
export abstract class MiddleKprobes implements ProbeHost {
  protected readonly members = new PlaceMembers();
  protected readonly ends: StatementEnds;
  #isHalted = false;

  /** @param id an ops id */
  constructor(id: number, found: FoundKprobe, planner: KprobePlanner) {
    this.ends = new StatementEnds(id, found, planner, this.members, () => this.resumed());
  }

  /** Puts there what calls the probes, if it is not there. */
  protected abstract arm(): void;
  protected abstract disarm(): void;
  /** A call that waits for the end of the statement comes back onto the stack. */
  protected resumed(): void {}

  async arrange(): Promise<void> {
    if (!this.isWanted) this.disarm();
    // A probe without a post handler does not wait for the sites of the calls.
    if (this.hasPost || this.ends.isOn) await this.ends.follow(() => this.hasPost);
    if (this.isWanted) this.arm();
  }

  join(member: PlaceMember): Promise<void> {
    this.members.add(member);
    return member.probe.joined(this);
  }

  leave(probe: ProgramProbe): void {
    this.members.remove(probe);
  }

  /** While they are halted (kprobes/enabled) nothing stands there. */
  halt(isHalted: boolean): void {
    this.#isHalted = isHalted;
    this.arrange().catch(() => {});
  }

  protected get isWanted(): boolean {
    return !this.#isHalted && this.members.enabled.length > 0;
  }

  protected get hasPost(): boolean {
    return !this.#isHalted && this.members.enabledPost.length > 0;
  }
}
