import type { FoundKprobe, KprobePlanner } from './kprobe-planner.js';
import type { NamedValues, PlaceMembers } from './place-members.js';
import type { ProbeOps } from './probe-ops.js';
import { SiteSubscription } from './site-subscription.js';
import type { StatementOutcome } from './statement-outcome.js';

/** A call of a function. */
interface StatementFrame {
  /** A statement of it has begun, and its end is not known yet. */
  isWaiting: boolean;
}

/** What is told of calls that wait. */
interface FrameListener {
  /** Tells that the call has returned this value. */
  returned(value: unknown): void;
  /** Tells that the call comes back onto the stack. */
  resumed(): void;
}

/** The calls of one function that are on the stack: the statement that begins is the innermost one's. */
class StatementFrames implements ProbeOps {
  readonly name = 'kprobe_ftrace_handler';
  readonly #sites: SiteSubscription;
  readonly #listener: FrameListener;
  readonly #open: StatementFrame[] = [];

  constructor(id: number, { n }: FoundKprobe, planner: KprobePlanner, listener: FrameListener) {
    this.#sites = new SiteSubscription(id, this, { functions: [n], filter: [], notrace: [] }, planner);
    this.#listener = listener;
  }

  /** Follows the function's calls, or does not. Resolves when its sites are patched. */
  follow(isWanted: () => boolean): Promise<void> {
    return this.#sites.set(() => {
      const isNow = isWanted();
      // The ends of calls that began before are not told.
      if (!isNow) this.#open.length = 0;
      return isNow;
    });
  }

  /** Undefined: the call began before it was followed. */
  get innermost(): StatementFrame | undefined {
    return this.#open.at(-1);
  }

  get isAnyWaiting(): boolean {
    return this.#open.some(({ isWaiting }) => isWaiting);
  }

  entry(): StatementFrame {
    const frame = { isWaiting: false };
    this.#open.push(frame);
    return frame;
  }

  exit(_n: number, kept: unknown, value: unknown, unwound: boolean): void {
    this.suspended(kept);
    const frame = kept as StatementFrame;
    if (frame.isWaiting && !unwound) this.#listener.returned(value);
    frame.isWaiting = false;
  }

  suspended(kept: unknown): void {
    const at = this.#open.lastIndexOf(kept as StatementFrame);
    if (at >= 0) this.#open.splice(at, 1);
  }

  resumed(kept: unknown): void {
    const frame = kept as StatementFrame;
    this.#open.push(frame);
    if (frame.isWaiting) this.#listener.resumed();
  }

  missed(): void {}
}

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
