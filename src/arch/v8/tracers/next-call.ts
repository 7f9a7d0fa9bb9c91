import { BUSY, type Fgraph, INTERRUPTED, UNWOUND } from '../../../ftrace/fgraph.js';
import type { Trampoline } from './cells.js';
import type { ThreadSites } from './thread-sites.js';

/**
 * Lets a thread obey its commands at the next call of a site. An interrupt may stop a trampoline before its first check, or inside
 * a record. To obey there would be too early: the trampoline would go on, and record the call after the control thread was told
 * that the function is no longer traced, or finish its record in a buffer that was exchanged.
 */
export class NextCall {
  readonly #fgraph: Fgraph;
  readonly #sites: ThreadSites;
  #obey: () => void = () => {};

  constructor(fgraph: Fgraph, sites: ThreadSites) {
    this.#fgraph = fgraph;
    this.#sites = sites;
  }

  /** The next call of a site calls `obey`. False if no site calls anything. */
  asks(obey: () => void): boolean {
    if (!this.#sites.isOn) return false;
    this.#obey = obey;
    this.#fgraph.state[BUSY]! |= INTERRUPTED;
    return true;
  }

  /**
   * Called by a trampoline while BUSY is not 0. Returns whether it traces its call: no callback runs, and after the commands the
   * site still calls this trampoline.
   */
  mayTrace(n: number, trampoline: Trampoline): boolean {
    const { state } = this.#fgraph;
    try {
      if ((state[BUSY]! & UNWOUND) !== 0) {
        this.#fgraph.dropUnwound();
        if (state[BUSY] === 0) return true;
      }
      if (state[BUSY] !== INTERRUPTED) return false;
      state[BUSY] = 0;
      this.#obey();
    } catch {
      // The stack is full: the control thread asks again.
      return false;
    }
    return this.#sites.trampolineOf(n) === trampoline;
  }
}
