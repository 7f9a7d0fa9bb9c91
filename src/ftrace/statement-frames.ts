import type { FoundKprobe, KprobePlanner } from './kprobe-planner.js';
import type { ProbeOps } from './probe-ops.js';
import { SiteSubscription } from './site-subscription.js';

/** A call of a function. */
export interface StatementFrame {
  /** A statement of it has begun, and its end is not known yet. */
  isWaiting: boolean;
}

/** The calls of one function that are on the stack: the statement that begins is the innermost one's. */
export class StatementFrames implements ProbeOps {
  readonly name = 'kprobe_ftrace_handler';
  readonly #sites: SiteSubscription;
  readonly #returned: (value: unknown) => void;
  readonly #open: StatementFrame[] = [];

  /** @param returned a waiting call has returned this value */
  constructor(id: number, { n }: FoundKprobe, planner: KprobePlanner, returned: (value: unknown) => void) {
    this.#sites = new SiteSubscription(id, this, { functions: [n], filter: [], notrace: [] }, planner);
    this.#returned = returned;
  }

  /** Follows the function's calls, or does not. Resolves when its sites are patched. */
  follow(isWanted: () => boolean): Promise<void> {
    return this.#sites.set(isWanted);
  }

  /** Undefined: the call began before it was followed. */
  get innermost(): StatementFrame | undefined {
    return this.#open.at(-1);
  }

  entry(): StatementFrame {
    const frame = { isWaiting: false };
    this.#open.push(frame);
    return frame;
  }

  exit(_n: number, kept: unknown, value: unknown, unwound: boolean): void {
    this.suspended(kept);
    const frame = kept as StatementFrame;
    if (frame.isWaiting && !unwound) this.#returned(value);
    frame.isWaiting = false;
  }

  suspended(kept: unknown): void {
    const at = this.#open.lastIndexOf(kept as StatementFrame);
    if (at >= 0) this.#open.splice(at, 1);
  }

  resumed(kept: unknown): void {
    this.#open.push(kept as StatementFrame);
  }

  missed(): void {}
}
