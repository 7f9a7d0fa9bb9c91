import type { FindLeftParts } from '../../machine/machine.js';
import { CompiledSite, type SiteUse } from '../../text/site.js';
import { branch, bytesOf, CALL_PAD, INSTRUCTION_LENGTH, isCall, MOV_X9_LR, NOP, wordsOf } from './encode.js';
import { branchTarget } from './move.js';

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

/** A call goes where a jump of the same distance goes. */
const AS_JUMP = 0x80000000;

/** The sites that are left: each has one instruction, or two: `mov x9, lr` or `bti c` is before the branch. */
export const leftParts: FindLeftParts = ({ text, original, address, isLeft }) => {
  const [now, before] = [text, original].map((bytes) => new DataView(bytes.buffer, bytes.byteOffset, bytes.length)) as [
    DataView,
    DataView,
  ];
  const leads = (at: number): boolean => {
    if (at + INSTRUCTION_LENGTH > text.length) return false;
    const word = now.getUint32(at, true);
    const target = branchTarget(isCall(word) ? (word & ~AS_JUMP) >>> 0 : word, address + at);
    return target !== undefined && isLeft(target);
  };
  const parts: [number, number][] = [];
  for (let at = 0; at + INSTRUCTION_LENGTH <= text.length; at += INSTRUCTION_LENGTH) {
    const word = now.getUint32(at, true);
    if (word === before.getUint32(at, true)) continue;
    if (leads(at)) parts.push([at, at + INSTRUCTION_LENGTH]);
    else if ((word === MOV_X9_LR || word === CALL_PAD) && leads(at + INSTRUCTION_LENGTH)) {
      parts.push([at, at + 2 * INSTRUCTION_LENGTH]);
      at += INSTRUCTION_LENGTH;
    }
  }
  return parts;
};
