import { TraceError } from '../../../base/errno.js';
import type { NativeSite, ReturnSlot, SiteForm, SiteUse } from '../text/site.js';
import { movedCode, type PlacedCode } from './move.js';
import { nopOf } from './nops.js';
import { BRANCH_LENGTH, branch, joined } from './site.js';

/** A function's first instructions: armed, a jump takes their place, and they run as a part of `body`. */
export class JumpSite implements NativeSite {
  readonly form: SiteForm = 'jump';
  readonly returnSlot: ReturnSlot = 'top';
  readonly address: number;
  readonly compiled: Uint8Array;
  readonly #placed: PlacedCode;
  readonly #from: number;
  readonly #instructionsEnd: number;

  /** The site of code from offset `from` up to `end`; behind its instructions there is only what fills the space between functions. */
  constructor(placed: PlacedCode, from: number, instructionsEnd: number, end: number) {
    this.#placed = placed;
    this.#from = from;
    this.#instructionsEnd = instructionsEnd;
    this.address = placed.address + from;
    this.compiled = Uint8Array.from(placed.code.subarray(from, end));
  }

  get nop(): Uint8Array {
    return this.compiled;
  }

  get resume(): number {
    return this.address + this.compiled.length;
  }

  armed(target: number, use: SiteUse): Uint8Array {
    if (use === 'call') throw new TraceError('EINVAL', 'a function without a site is reached by a jump');
    return joined(branch('jump', this.address, target), nopOf(this.compiled.length - BRANCH_LENGTH));
  }

  body(at: number): Uint8Array {
    return movedCode(this.#placed, this.#from, this.#instructionsEnd, at);
  }
}
