import { Refused } from '../../../base/refused.js';
import type { ElfFile } from '../../elf/elf-file.js';
import { codePointers } from '../../text/code-pointers.js';
import type { CodeRange, ObjectFunction } from '../../text/object-functions.js';
import { MovedSite } from '../../text/site.js';
import { type KnownUses, StartPlaces, USE } from '../../text/start-places.js';
import { branch, bytesOf, CALL_PAD, INSTRUCTION_LENGTH, isLandingPad, signsReturn, wordsOf } from './encode.js';
import { readsLinkerRegister } from './linker-registers.js';
import { branchTarget, literalOf, movedInstruction } from './move.js';

/** Why a function cannot be reached, as in `functions_without_sites`. */
export const NO_JUMP = {
  short: 'compiled without a site, and too short for a jump',
  loop: 'compiled without a site, and a loop goes back to its first instruction',
  exclusive: 'compiled without a site, and its first instruction must stay where it is',
  target: 'compiled without a site, and a jump or a pointer goes to the second of its first two instructions',
  data: 'compiled without a site, and it reads its first instruction as data',
  linker: 'is not called as functions are: it finds something in x16 or x17',
} as const;

/** Loads and stores that only work together: nothing may come between them. */
const isExclusive = (word: number): boolean => (word & 0x3f000000) >>> 0 === 0x08000000;

/**
 * Instructions that sign the return address together with where they stand: paciasppc, pacibsppc, their forms without a landing
 * pad, pacm.
 */
const SIGNS_ITS_PLACE: readonly number[] = [0xdac1a3fe, 0xdac1a7fe, 0xdac183fe, 0xdac187fe, 0xd50324ff];
/** How far from a function's start its site may end: a landing pad and two instructions. */
const START_SIZE = 3 * INSTRUCTION_LENGTH;

/**
 * What jumps and points to the first instructions of functions. What lies behind the instruction that signs is run once: tables
 * do not lead there.
 */
function usesAtStarts(elf: ElfFile, ranges: readonly CodeRange[]): StartPlaces {
  const places = new StartPlaces(ranges, START_SIZE);
  for (const { start, end } of ranges) {
    const words = wordsOf(elf.at(start, end - start) ?? Buffer.alloc(0));
    for (let i = 0; i < words.length; i++) {
      const target = branchTarget(words[i]!, start + i * INSTRUCTION_LENGTH);
      if (target !== undefined) places.add(target, USE.jumped);
    }
  }
  codePointers(elf, places.span, (address) => places.add(address, USE.pointed));
  return places;
}

/**
 * One instruction; or one that signs the return address, and the next: an indirect call may arrive at the first one, where the
 * processor may take a branch for an attack. So `bti c` takes its place.
 */
export class JumpSite extends MovedSite {
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

/**
 * Finds the functions of an object in which a jump can take the place of the first instruction: their sites at the file's
 * addresses.
 */
export class JumpFinder {
  readonly #elf: ElfFile;
  readonly #ranges: readonly CodeRange[];
  #uses: KnownUses | undefined;

  constructor(elf: ElfFile, ranges: readonly CodeRange[]) {
    this.#elf = elf;
    this.#ranges = ranges;
  }

  find({ start, end }: ObjectFunction): MovedSite | Refused {
    const words = wordsOf(this.#elf.at(start, end - start) ?? Buffer.alloc(0));
    const entry = words.length > 0 && isLandingPad(words[0]!) ? 1 : 0;
    const first = words[entry];
    const length = first !== undefined && signsReturn(first) ? 2 : 1;
    const moved = words.slice(entry, entry + length);
    if (moved.length < length) return new Refused(NO_JUMP.short);
    if (moved.some((word) => isExclusive(word) || SIGNS_ITS_PLACE.includes(word))) return new Refused(NO_JUMP.exclusive);
    if (readsLinkerRegister(words)) return new Refused(NO_JUMP.linker);
    const from = start + entry * INSTRUCTION_LENGTH;
    const last = from + (length - 1) * INSTRUCTION_LENGTH;
    const isMoved = (target: number | undefined): boolean => target !== undefined && target >= start && target <= last;
    if (words.some((word, i) => isMoved(branchTarget(word, start + i * INSTRUCTION_LENGTH)))) return new Refused(NO_JUMP.loop);
    if (words.some((word, i) => isMoved(literalOf(word, start + i * INSTRUCTION_LENGTH)?.address)))
      return new Refused(NO_JUMP.data);
    // What leads to the only instruction that moves leads to the function.
    if (length > 1 && this.#usesOf(last) !== 0) return new Refused(NO_JUMP.target);
    return new JumpSite(from, bytesOf(moved));
  }

  /** All code is looked at when it is needed first: most objects have no function of two instructions that move. */
  #usesOf(address: number): number {
    this.#uses ??= usesAtStarts(this.#elf, this.#ranges);
    return this.#uses.uses(address, address + 1);
  }
}
