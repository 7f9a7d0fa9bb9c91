import { Refused } from '../../../base/refused.js';
import type { ElfFile } from '../../elf/elf-file.js';
import type { CodeRange, ObjectFunction } from '../../text/object-functions.js';
import { type KnownUses, StartPlaces, USE } from '../../text/start-places.js';
import { codeUses } from './code-uses.js';
import { type JumpSite, jumpSite, NO_JUMP } from './jump.js';

/** How far from a function's start its site may end: endbr64, four bytes, and the longest instruction that begins there. */
const START_SIZE = 4 + 4 + 15;
/** So many bytes of a function are looked at: its site, and what fills the space behind a short function. */
const LOOKED_AT = 64;

/**
 * Finds the functions of an object in which a jump can take the place of the first instructions: their sites at the file's
 * addresses.
 */
export class JumpFinder {
  readonly #elf: ElfFile;
  readonly #uses: KnownUses;

  /** @param ranges all code of the object */
  constructor(elf: ElfFile, ranges: readonly CodeRange[]) {
    this.#elf = elf;
    this.#uses = usesAtStarts(elf, ranges);
  }

  find({ start, end, limit }: ObjectFunction): JumpSite | Refused {
    const code = this.#elf.at(start, Math.min(limit - start, LOOKED_AT));
    if (code === undefined) return new Refused(NO_JUMP.unknown);
    return jumpSite({ code, address: start }, end - start, this.#uses, start);
  }
}

function usesAtStarts(elf: ElfFile, ranges: readonly CodeRange[]): StartPlaces {
  const places = new StartPlaces(ranges, START_SIZE);
  codeUses(elf, ranges, (address, use, by) => {
    const isOwn = by !== undefined && address >= by.start && address < by.end;
    // Most jumps stay in their function, and are far from its start.
    if (isOwn && address >= by.start + START_SIZE) return;
    places.add(address, isOwn ? use | USE.loop : use);
  });
  return places;
}
