import type { FoundKprobe, KprobePlanner } from './kprobe-planner.js';
import type { ProbeOps } from './probe-ops.js';
import { SiteSubscription } from './site-subscription.js';

/** A call of a function. */
export interface StatementFrame {
  /** A statement of it has begun, and its end is not known yet. */
  isWaiting: boolean;
}

/** What is told of calls that wait. */
export interface FrameListener {
  /** Tells that the call has returned this value. */
  returned(value: unknown): void;
  /** Tells that the call comes back onto the stack. */
  resumed(): void;
}

/** The calls of one function that are on the stack: the statement that begins is the innermost one's. */
export class StatementFrames implements ProbeOps {
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
