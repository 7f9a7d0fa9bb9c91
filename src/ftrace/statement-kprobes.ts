import type { FoundKprobe, FoundStatement, KprobePlanner } from './kprobe-planner.js';
import { type NamedValues, type PlaceMember, PlaceMembers } from './place-members.js';
import type { ProbeHost, ProgramProbe } from './program-probe.js';
import { StatementFrames } from './statement-frames.js';

const NO_VALUES: NamedValues = Object.freeze({ __proto__: null });

/**
 * The kprobes at the site of one statement. A site is before its statement, so post handlers wait: they are called when the next statement of
 * the same call begins, or when the call returns.
 */
export class StatementKprobes implements ProbeHost {
  readonly #n: number;
  #statement: FoundStatement;
  readonly #planner: KprobePlanner;
  readonly #members = new PlaceMembers();
  readonly #frames: StatementFrames;
  #areFollowed = false;
  #remove: (() => void) | undefined;
  #isHalted = false;

  /** @param id an ops id */
  constructor(id: number, found: FoundKprobe, statement: FoundStatement, planner: KprobePlanner) {
    this.#n = found.n;
    this.#statement = statement;
    this.#planner = planner;
    this.#frames = new StatementFrames(id, found, planner, (value) => this.#members.post(NO_VALUES, value));
  }

  /** @param statement what was found for this one: without a post handler it has no outcomes */
  join(member: PlaceMember, statement: FoundStatement): Promise<void> {
    if (statement.next.length > 0) this.#statement = statement;
    this.#members.add(member);
    return member.probe.joined(this);
  }

  leave(probe: ProgramProbe): void {
    this.#members.remove(probe);
  }

  /** While they are halted (kprobes/enabled) the sites are NOPs. */
  halt(isHalted: boolean): void {
    this.#isHalted = isHalted;
    this.arrange().catch(() => {});
  }

  async arrange(): Promise<void> {
    if (!this.#isWanted()) this.#disarm();
    const followed = this.#frames.follow(() => this.#hasPost());
    // A probe without a post handler does not wait for the sites of the calls.
    if (this.#hasPost() || this.#areFollowed) await followed;
    this.#areFollowed = this.#hasPost();
    if (this.#isWanted()) this.#remove ??= this.#planner.statements(this.#n, (index, values) => this.#began(index, values));
  }

  #isWanted(): boolean {
    return !this.#isHalted && this.#members.enabled.length > 0;
  }

  #hasPost(): boolean {
    return this.#isWanted() && this.#members.enabled.some(({ kprobe }) => kprobe.postHandler !== undefined);
  }

  #disarm(): void {
    this.#remove?.();
    this.#remove = undefined;
  }

  /** A statement of the function begins. */
  #began(index: number, values: readonly unknown[]): void {
    const isHere = index === this.#statement.index;
    const frame = this.#areFollowed ? this.#frames.innermost : undefined;
    if (!isHere && frame?.isWaiting !== true) return;
    const isHeard = this.#planner.inCallback(() => {
      const all = namedValues(this.#statement.names[index] ?? [], values);
      if (frame?.isWaiting === true) this.#next(index, all);
      const hasPost = isHere && this.#members.pre(all);
      if (frame !== undefined && hasPost) frame.isWaiting = true;
    });
    if (!isHeard && isHere) this.#members.missed();
  }

  /** Another statement begins in the innermost call, which waits for the end of this one. */
  #next(index: number, all: NamedValues): void {
    const outcome = this.#statement.next[index];
    const frame = this.#frames.innermost;
    if (outcome === 'unknown' || frame === undefined) return;
    frame.isWaiting = false;
    if (outcome === 'done') this.#members.post(all);
  }
}

function namedValues(names: readonly string[], values: readonly unknown[]): NamedValues {
  const all: Record<string, unknown> = Object.create(null);
  names.forEach((name, i) => {
    all[name] = values[i];
  });
  return all;
}
