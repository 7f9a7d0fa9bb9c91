import type { ElfFile } from '../elf/elf-file.js';
import type { CodeRange, ObjectFunction } from '../text/object-functions.js';
import { BranchTargets, type KnownTargets } from './branch-targets.js';
import { jumpSite, NO_JUMP } from './jump.js';
import type { JumpSite } from './jump-site.js';

const NO_TARGETS: KnownTargets = { hasAny: () => false, isLoop: () => false };

/** Finds the functions of an object in which a jump can take the place of the first instructions. */
export class JumpFinder {
  readonly #elf: ElfFile;
  readonly #bias: number;
  readonly #targets: KnownTargets;

  /** @param ranges all code of the object; undefined: it is known that a jump fits, and no code is looked at for jumps to where that would be */
  constructor(elf: ElfFile, ranges: readonly CodeRange[] | undefined, bias: number) {
    this.#elf = elf;
    this.#bias = bias;
    this.#targets = ranges === undefined ? NO_TARGETS : new BranchTargets(elf, ranges);
  }

  find({ start, end, limit }: ObjectFunction): JumpSite | string {
    const code = this.#elf.at(start, limit - start);
    if (code === undefined) return NO_JUMP.unknown;
    return jumpSite({ code, address: start + this.#bias }, end - start, this.#targets, start);
  }
}
