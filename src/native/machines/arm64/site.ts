import { CompiledSite } from '../../text/compiled-site.js';
import type { SiteUse } from '../../text/site.js';
import { branch, bytesOf, INSTRUCTION_LENGTH, MOV_X9_LR, NOP, wordsOf } from './encode.js';

/** What a site of each form is made of when it is idle and when it is armed; the branch takes the place of `undefined`. */
type Pattern = readonly (number | undefined)[];

/** Two NOPs at the entry, as the kernel's: `mov x9, lr` saves the return address, and stays when the call goes. */
const ENTRY: Pattern = [MOV_X9_LR, undefined];
/** A call after the prologue: the return address is in the frame. */
const AFTER_PROLOGUE: Pattern = [undefined];

/** A site whose bytes may be a NOP: one instruction, or two. */
export class CallSite extends CompiledSite {
  get #pattern(): Pattern {
    return this.form === 'mcount' ? AFTER_PROLOGUE : ENTRY;
  }

  /** Before a call of `_mcount` the compiler saves arguments, and puts the return address into x0. */
  override get hasArguments(): boolean {
    return this.form !== 'mcount';
  }

  /** XRay's entry jumps over its NOPs, and is idle like that. */
  get nop(): Uint8Array {
    if (this.form === 'xray') return this.compiled;
    return bytesOf(this.#pattern.map((word) => word ?? NOP));
  }

  armed(target: number, use: SiteUse): Uint8Array {
    const at = (index: number): number => this.address + index * INSTRUCTION_LENGTH;
    return bytesOf(this.#pattern.map((word, i) => word ?? branch(use, at(i), target)));
  }

  body(at: number): Uint8Array {
    const [first] = wordsOf(this.compiled);
    // What XRay's entry jumps over is as good as its end.
    return bytesOf([branch('jump', at, this.form === 'xray' ? this.address + 4 * (first! & 0xffff) : this.resume)]);
  }
}
