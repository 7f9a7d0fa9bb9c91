import type { PortEvent, PortListener, TracedThread } from '../../port/port.js';

/** A cpu of a native process. */
export interface NativeCpu extends TracedThread {
  /** The number of its block of the arena. */
  readonly block: number;
  /** The thread of JavaScript that this cpu is beside, as the port to JavaScript has it; absent: there is none. */
  readonly script?: TracedThread | undefined;
}

/** Hears that the site of function `n` could not be patched, and why. */
export type HearUnreached = (n: number, why: string) => void;

/** What the parts of a native port tell the control side. */
export class PortNews {
  readonly listener: PortListener;
  /** All cpus that there are. */
  readonly cpus: readonly NativeCpu[];
  #hearUnreached: HearUnreached = () => {};

  /** @param cpus grows while the process runs */
  constructor(listener: PortListener, cpus: readonly NativeCpu[]) {
    this.listener = listener;
    this.cpus = cpus;
  }

  /** Tells what concerns the whole process: its first cpu does. */
  told(event: PortEvent): void {
    this.listener.told(this.cpus[0]!, event);
  }

  /** Tells that the site of function `n` could not be patched, and why. */
  unreached(n: number, why: string): void {
    this.told({ type: 'unreached', n, why });
    this.#hearUnreached(n, why);
  }

  /** Lets live patches hear of each site that could not be patched, after the control side. */
  hearUnreached(hear: HearUnreached): void {
    this.#hearUnreached = hear;
  }
}
