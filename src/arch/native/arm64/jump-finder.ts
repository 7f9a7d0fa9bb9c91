import type { ElfFile } from '../elf/elf-file.js';
import { MovedSite } from '../text/moved-site.js';
import type { CodeRange, ObjectFunction } from '../text/object-functions.js';
import type { NativeSite } from '../text/site.js';
import { branch, bytesOf, CALL_PAD, INSTRUCTION_LENGTH, isLandingPad, signsReturn, wordsOf } from './encode.js';
import { readsLinkerRegister } from './linker-registers.js';
import { branchTarget, movedInstruction } from './move.js';

/** Why a function cannot be reached, as in `functions_without_sites`. */
export const NO_JUMP = {
  short: 'compiled without a site, and too short for a jump',
  loop: 'compiled without a site, and a loop goes back to its first instruction',
  exclusive: 'compiled without a site, and its first instruction must stay where it is',
  linker: 'is not called as functions are: it finds something in x16 or x17',
} as const;

/** Loads and stores that only work together: nothing may come between them. */
const isExclusive = (word: number): boolean => (word & 0x3f000000) >>> 0 === 0x08000000;

/**
 * One instruction; or one that signs the return address, and the next: an indirect call may arrive at the first one, where the processor may take a branch for an
 * attack. So `bti c` takes its place.
 */
class JumpSite extends MovedSite {
  protected jumpTo(target: number): Uint8Array {
    const pads = this.compiled.length > INSTRUCTION_LENGTH ? [CALL_PAD] : [];
    return bytesOf([...pads, branch('jump', this.address + pads.length * INSTRUCTION_LENGTH, target)]);
  }

  body(at: number): Uint8Array {
    const words = wordsOf(this.compiled);
    const before = words.slice(0, -1);
    const distance = before.length * INSTRUCTION_LENGTH;
    return bytesOf([...before, ...movedInstruction(words.at(-1)!, this.address + distance, at + distance)]);
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
    const first = words[entry];
    const length = first !== undefined && signsReturn(first) ? 2 : 1;
    const moved = words.slice(entry, entry + length);
    if (moved.length < length) return NO_JUMP.short;
    if (moved.some(isExclusive)) return NO_JUMP.exclusive;
    if (readsLinkerRegister(words)) return NO_JUMP.linker;
    const from = start + entry * INSTRUCTION_LENGTH;
    const last = from + (length - 1) * INSTRUCTION_LENGTH;
    const goesBack = words.some((word, i) => {
      const target = branchTarget(word, start + i * INSTRUCTION_LENGTH);
      return target !== undefined && target >= start && target <= last;
    });
    if (goesBack) return NO_JUMP.loop;
    return new JumpSite(from + this.#bias, bytesOf(moved));
  }
}
