import { AtomicsLoad } from '../../base/primordials.js';
import { type ControlBlock, WORD } from '../shared/control-block.js';
import type { NextSlice, ThreadCommand } from '../shared/protocol.js';

/** How long patching may take in one turn of the event loop, in nanoseconds; with V8's garbage collection this is 5 ms. */
const SLICE = 2.5e6;

/**
 * Cuts the patching of a thread into slices, one for each turn of its event loop. The thread reports each slice to the control
 * thread, which answers with NextSlice a moment later; that message arrives in another turn. A timer or setImmediate() would be
 * visible to the program's async hooks, and would keep the process alive.
 */
export class PatchSlices {
  readonly #block: ControlBlock;
  readonly #clock: () => number;
  #end = 0;
  #last = 0;
  /** The slice is over, and the loop has not turned since, as far as is known. */
  #waits = false;
  /** An interrupt has already given the present turn of the loop a slice. */
  #wasInterrupted = false;

  /** @param clock nanoseconds */
  constructor(block: ControlBlock, clock: () => number) {
    this.#block = block;
    this.#clock = clock;
  }

  /** Whether the present slice is over. */
  get isOver(): boolean {
    return this.#clock() >= this.#end && AtomicsLoad(this.#block, WORD.PATCH_AT_ONCE) === 0;
  }

  /** Ends the present slice. Returns its number, by which NextSlice names it. */
  end(): number {
    this.#waits = true;
    return ++this.#last;
  }

  /** The command during which the slice ended is done. */
  done(): void {
    this.#waits = false;
  }

  /** A message was received by the event loop. Returns whether commands may be obeyed now. */
  mayGoOn(message: ThreadCommand | NextSlice): boolean {
    this.#wasInterrupted = false;
    // An interrupt may have run a slice since then.
    if (message.type === 'next slice' && message.slice === this.#last) this.#waits = false;
    if (this.#waits) return false;
    this.#end = this.#clock() + SLICE;
    return true;
  }

  /**
   * The thread is interrupted in the middle of a turn. The first time it takes one slice, because the turn may end soon. The
   * second time, at least 30 ms later, it takes everything: the turn is long anyway, and may be endless.
   */
  interrupted(): void {
    this.#end = this.#wasInterrupted ? Number.POSITIVE_INFINITY : this.#clock() + SLICE;
    this.#wasInterrupted = true;
  }

  /** The patches that follow in this turn must not wait. */
  allAtOnce(): void {
    this.#end = Number.POSITIVE_INFINITY;
  }
}
