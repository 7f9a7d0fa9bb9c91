import { Refused } from '../../../base/refused.js';
import type { ElfFile } from '../../elf/elf-file.js';
import type { CodeRange, ObjectFunction } from '../../text/object-functions.js';
import { type KnownUses, NO_USES, StartPlaces, USE } from '../../text/start-places.js';
import { codeUses } from './code-uses.js';
import { jumpSite, NO_JUMP } from './jump.js';
import type { JumpSite } from './jump-site.js';

/** How far from a function's start its site may end: endbr64, four bytes, and the longest instruction that begins there. */
const START_SIZE = 4 + 4 + 15;

/** Finds the functions of an object in which a jump can take the place of the first instructions. */
export class JumpFinder {
  readonly #elf: ElfFile;
  readonly #bias: number;
  readonly #uses: KnownUses;

  /**
   * @param ranges all code of the object; undefined: it is known that a jump fits, and nothing is looked at for what uses the
   * place where that would be
   */
  constructor(elf: ElfFile, ranges: readonly CodeRange[] | undefined, bias: number) {
    this.#elf = elf;
    this.#bias = bias;
    this.#uses = ranges === undefined ? NO_USES : usesAtStarts(elf, ranges);
  }

  find({ start, end, limit }: ObjectFunction): JumpSite | Refused {
    const code = this.#elf.at(start, limit - start);
    if (code === undefined) return new Refused(NO_JUMP.unknown);
    return jumpSite({ code, address: start + this.#bias }, end - start, this.#uses, start);
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
