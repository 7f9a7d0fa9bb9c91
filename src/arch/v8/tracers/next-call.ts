import { BUSY, type Fgraph, INTERRUPTED } from '../../../ftrace/fgraph.js';
import type { Trampoline } from './cells.js';
import type { ThreadSites } from './thread-sites.js';

/**
 * Lets a thread obey its commands at the next call of a site. An interrupt may stop a trampoline before its first check, or inside
 * a record. To obey there would be too early: the trampoline would go on, and record the call after the control thread was told
 * that the function is no longer traced, or finish its record in a buffer that was exchanged.
 */
export class NextCall {
  readonly #state: Fgraph['state'];
  readonly #sites: ThreadSites;
  #obey: () => void = () => {};

  constructor({ state }: Fgraph, sites: ThreadSites) {
    this.#state = state;
    this.#sites = sites;
  }

  /** The next call of a site calls `obey`. False if no site calls anything. */
  asks(obey: () => void): boolean {
    if (!this.#sites.isOn) return false;
    this.#obey = obey;
    this.#state[BUSY]! |= INTERRUPTED;
    return true;
  }

  /**
   * Called by a trampoline while BUSY is not 0. Returns whether it traces its call: no callback runs, and after the commands the
   * site still calls this trampoline.
   */
  mayTrace(n: number, trampoline: Trampoline): boolean {
    if (this.#state[BUSY] !== INTERRUPTED) return false;
    this.#state[BUSY] = 0;
    try {
      this.#obey();
    } catch {
      // The stack is full: the control thread asks again.
      return false;
    }
    return this.#sites.trampolineOf(n) === trampoline;
  }
}
