import { type PlaceMember, PlaceMembers } from './place-members.js';
import type { ProbeHost, ProgramProbe } from './program-probe.js';

/** The kprobes that share one place in the middle of a function. */
export abstract class MiddleKprobes implements ProbeHost {
  protected readonly members = new PlaceMembers();
  #isHalted = false;

  abstract arrange(): Promise<void>;

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
