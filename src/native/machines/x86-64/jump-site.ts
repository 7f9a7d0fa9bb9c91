import type { PlacedCode } from '../../text/code-place.js';
import { MovedSite } from '../../text/moved-site.js';
import { movedCode } from './move.js';
import { nopOf } from './nops.js';
import { BRANCH_LENGTH, branch, joined } from './site.js';

/** As many instructions as a jump takes the place of. */
export class JumpSite extends MovedSite {
  readonly #placed: PlacedCode;
  readonly #from: number;
  readonly #instructionsEnd: number;

  /**
   * The site of code from offset `from` up to `end`; behind its instructions there is only what fills the space between
   * functions.
   */
  constructor(placed: PlacedCode, from: number, instructionsEnd: number, end: number) {
    super(placed.address + from, Uint8Array.from(placed.code.subarray(from, end)));
    // What it was read with is not kept.
    this.#placed = { ...placed, code: Buffer.from(placed.code.subarray(0, end)) };
    this.#from = from;
    this.#instructionsEnd = instructionsEnd;
  }

  protected jumpTo(target: number): Uint8Array {
    return joined(branch('jump', this.address, target), nopOf(this.compiled.length - BRANCH_LENGTH));
  }

  body(at: number): Uint8Array {
    return movedCode(this.#placed, this.#from, this.#instructionsEnd, at);
  }
}
