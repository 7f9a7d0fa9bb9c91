import type { FoundKprobe, KprobePlanner } from './kprobe-planner.js';
import type { NamedValues, PlaceMembers } from './place-members.js';
import { type StatementFrame, StatementFrames } from './statement-frames.js';
import type { StatementOutcome } from './statement-outcome.js';

const NO_VALUES: NamedValues = Object.freeze({ __proto__: null });

/**
 * Which calls of a function wait for the end of a statement: it has come when another statement of the same call begins, or when
 * the call returns. Then the post handlers are called.
 */
export class StatementEnds {
  readonly #members: PlaceMembers;
  readonly #frames: StatementFrames;
  #isOn = false;

  /**
   * @param id an ops id
   * @param resumed a call that waits comes back onto the stack
   */
  constructor(id: number, found: FoundKprobe, planner: KprobePlanner, members: PlaceMembers, resumed: () => void = () => {}) {
    this.#members = members;
    this.#frames = new StatementFrames(id, found, planner, { returned: (value) => members.post(NO_VALUES, value), resumed });
  }

  /** Whether the calls of the function are followed. */
  get isOn(): boolean {
    return this.#isOn;
  }

  /** Follows the calls, or does not. Resolves when the sites of the function are patched. */
  async follow(isWanted: () => boolean): Promise<void> {
    await this.#frames.follow(isWanted);
    this.#isOn = isWanted();
  }

  get isWaiting(): boolean {
    return this.#innermost?.isWaiting === true;
  }

  /** Whether any call on the stack waits. */
  get isAnyWaiting(): boolean {
    return this.#isOn && this.#frames.isAnyWaiting;
  }

  /** The innermost call has reached the place. */
  wait(): void {
    const frame = this.#innermost;
    if (frame !== undefined) frame.isWaiting = true;
  }

  /** Another statement begins in the innermost call, which waits: what that says of the one before. */
  next(outcome: StatementOutcome | undefined, all: NamedValues): void {
    const frame = this.#innermost;
    if (outcome === 'unknown' || frame === undefined) return;
    frame.isWaiting = false;
    if (outcome === 'done') this.#members.post(all);
  }

  /** Undefined: the call began before it was followed. */
  get #innermost(): StatementFrame | undefined {
    return this.#isOn ? this.#frames.innermost : undefined;
  }
}
