import { type ControlBlock, WORD } from '../shared/control-block.js';
import type { NextSlice, ThreadCommand } from '../shared/protocol.js';

/** Nanoseconds of one turn of the event loop that patching may take: 5 ms with what V8 collects of it. */
const SLICE = 4e6;

/**
 * Cuts the patching of a thread into slices, one a turn of its event loop. The control thread is told of each and answers with
 * NextSlice a moment later, which comes in a turn of its own. A timer or setImmediate() of the thread would be seen by the
 * program's async hooks, and would keep the process alive.
 */
export class PatchSlices {
  readonly #block: ControlBlock;
  readonly #clock: () => number;
  #end = 0;
  #last = 0;
  /** The slice is over, and the loop has not turned since, as far as is known. */
  #waits = false;
  /** An interrupt has given the present turn of the loop a slice already. */
  #wasInterrupted = false;

  /** @param clock nanoseconds */
  constructor(block: ControlBlock, clock: () => number) {
    this.#block = block;
    this.#clock = clock;
  }

  /** Whether the present slice is over. */
  get isOver(): boolean {
    return this.#clock() >= this.#end && Atomics.load(this.#block, WORD.PATCH_AT_ONCE) === 0;
  }

  /** Ends the present slice. Returns its number, by which NextSlice names it. */
  end(): number {
    this.#waits = true;
    return ++this.#last;
  }

  /** The command in whose midst the slice ended is obeyed. */
  done(): void {
    this.#waits = false;
  }

  /** A message was received by the event loop. Returns whether commands may be obeyed now. */
  mayGoOn(message: ThreadCommand | NextSlice): boolean {
    this.#wasInterrupted = false;
    // An interrupt may have made a slice since.
    if (message.type === 'next slice' && message.slice === this.#last) this.#waits = false;
    if (this.#waits) return false;
    this.#end = this.#clock() + SLICE;
    return true;
  }

  /**
   * The thread is interrupted in the midst of a turn. The first time it takes a slice, as a turn may end soon; the second time,
   * at least 30 ms later, all: the turn is a long one with or without it, and may be endless.
   */
  interrupted(): void {
    this.#end = this.#wasInterrupted ? Number.POSITIVE_INFINITY : this.#clock() + SLICE;
    this.#wasInterrupted = true;
  }

  /** What is patched from here on in this turn must not wait. */
  allAtOnce(): void {
    this.#end = Number.POSITIVE_INFINITY;
  }
}
