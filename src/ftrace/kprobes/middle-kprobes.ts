import { BreakpointStand } from './breakpoint-stand.js';
import type { FoundKprobe, KprobePlanner } from './kprobe-planner.js';
import type { KprobeStand } from './kprobe-stand.js';
import { PlaceMembers } from './place-members.js';
import type { KprobeMember, KprobePoint, ProgramProbe } from './program-probe.js';
import { StatementEnds } from './statement-ends.js';
import { StatementStand } from './statement-stand.js';

/** The kprobes that share one place in the middle of a function: the site of a statement, or a breakpoint. */
export class MiddleKprobes implements KprobePoint {
  readonly #members = new PlaceMembers();
  readonly #ends: StatementEnds;
  readonly #stand: KprobeStand;
  #isHalted = false;

  /** @param id an ops id */
  constructor(id: number, found: FoundKprobe, planner: KprobePlanner) {
    this.#ends = new StatementEnds(id, found, planner, this.#members, () => this.#stand.resumed?.());
    const context = { found, planner, members: this.#members, ends: this.#ends, hasPost: () => this.#hasPost };
    this.#stand = found.statement === undefined ? new BreakpointStand(context) : new StatementStand(context, found.statement);
  }

  async arrange(): Promise<void> {
    if (!this.#hasPost) this.#stand.endPost?.();
    if (!this.#isWanted) this.#stand.disarm();
    // A probe without a post handler does not wait for the sites of the calls.
    if (this.#hasPost || this.#ends.isOn) await this.#ends.follow(() => this.#hasPost);
    if (this.#isWanted) this.#stand.arm();
  }

  join(member: KprobeMember, found: FoundKprobe): Promise<void> {
    this.#stand.joined(found);
    this.#members.add(member);
    return member.probe.joined(this);
  }

  leave(probe: ProgramProbe): void {
    this.#members.remove(probe);
  }

  halt(isHalted: boolean): void {
    this.#isHalted = isHalted;
    this.arrange().catch(() => {});
  }

  get #isWanted(): boolean {
    return !this.#isHalted && this.#members.enabled.length > 0;
  }

  get #hasPost(): boolean {
    return !this.#isHalted && this.#members.enabledPost.length > 0;
  }
}
