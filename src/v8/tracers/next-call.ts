import { BUSY, CALLBACK, type Fgraph, INTERRUPTED } from '../../ftrace/fgraph.js';
import type { ThreadSites } from './thread-sites.js';
import type { HeldCall } from './thread-trace.js';

/**
 * Lets a thread obey its commands at the next call of a site. An interrupt may stop a trampoline before its first check, or
 * inside a record. To obey there would be too early: the trampoline would go on, and record the call after the control thread was
 * told that the function is no longer traced, or finish its record in a buffer that was exchanged. At the next call, whose
 * trampoline may be that one, the call is traced as before, and then the thread obeys: a call that some ops trace before and
 * after the commands is never missed by them.
 */
export class NextCall implements HeldCall {
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

  /** Called by a trampoline while BUSY is not 0. Returns whether it traces its call: no callback runs. `obey` follows. */
  mayTrace(): boolean {
    try {
      this.#fgraph.dropUnwound();
    } catch {
      // The stack is full.
      return false;
    }
    return (this.#fgraph.state[BUSY]! & CALLBACK) === 0;
  }

  /** The call is traced, and the trampoline has nothing left to do. */
  obey(): void {
    const { state } = this.#fgraph;
    if ((state[BUSY]! & INTERRUPTED) === 0) return;
    state[BUSY]! &= ~INTERRUPTED;
    try {
      this.#obey();
    } catch {
      // The stack is full: the control thread asks again.
    }
  }

  /** Both, for a trampoline that calls this instead of going on while BUSY is not 0. Returns the token of the call. */
  enter(n: number, trampoline: (n: number) => number): number {
    if (!this.mayTrace()) return 0;
    const { state } = this.#fgraph;
    const busy = state[BUSY]!;
    state[BUSY] = 0;
    const token = trampoline(n);
    state[BUSY]! |= busy;
    this.obey();
    return token;
  }
}
