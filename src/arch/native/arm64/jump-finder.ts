import type { ElfFile } from '../elf/elf-file.js';
import { MovedSite } from '../text/moved-site.js';
import type { CodeRange, ObjectFunction } from '../text/object-functions.js';
import type { NativeSite } from '../text/site.js';
import { branch, bytesOf, INSTRUCTION_LENGTH, isLandingPad, wordsOf } from './encode.js';
import { branchTarget, movedInstruction } from './move.js';

/** Why a function cannot be reached, as in `functions_without_sites`. */
export const NO_JUMP = {
  short: 'compiled without a site, and too short for a jump',
  loop: 'compiled without a site, and a loop goes back to its first instruction',
  exclusive: 'compiled without a site, and its first instruction must stay where it is',
} as const;

/** Loads and stores that only work together: nothing may come between them. */
const isExclusive = (word: number): boolean => (word & 0x3f000000) >>> 0 === 0x08000000;

/** One instruction. */
class JumpSite extends MovedSite {
  protected jumpTo(target: number): Uint8Array {
    return bytesOf([branch('jump', this.address, target)]);
  }

  body(at: number): Uint8Array {
    return bytesOf(movedInstruction(wordsOf(this.compiled)[0]!, this.address, at));
  }
}

/** Finds the functions of an object in which a jump can take the place of the first instruction. */
export class JumpFinder {
  readonly #elf: ElfFile;
  readonly #bias: number;

  constructor(elf: ElfFile, _ranges: readonly CodeRange[] | undefined, bias: number) {
    this.#elf = elf;
    this.#bias = bias;
  }

  find({ start, end }: ObjectFunction): NativeSite | string {
    const words = wordsOf(this.#elf.at(start, end - start) ?? Buffer.alloc(0));
    const entry = words.length > 0 && isLandingPad(words[0]!) ? 1 : 0;
    if (words.length <= entry) return NO_JUMP.short;
    if (isExclusive(words[entry]!)) return NO_JUMP.exclusive;
    const first = start + entry * INSTRUCTION_LENGTH;
    const goesBack = words.some((word, i) => {
      const target = branchTarget(word, start + i * INSTRUCTION_LENGTH);
      return target !== undefined && target >= start && target <= first;
    });
    if (goesBack) return NO_JUMP.loop;
    return new JumpSite(first + this.#bias, bytesOf([words[entry]!]));
  }
}
