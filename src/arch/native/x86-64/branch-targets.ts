import { lastAtOrBefore } from '../../../base/last-at-or-before.js';
import type { ElfFile } from '../elf/elf-file.js';
import type { CodeRange } from '../text/object-functions.js';
import { Decoder } from './decode.js';

/** How far from a function's start its site may end: endbr64 and the longest instructions that a jump takes the place of. */
const START_SIZE = 4 + 5;

/** The jumps that matter to a site, as far as they are known. */
export type KnownTargets = Pick<BranchTargets, 'hasAny' | 'isLoop'>;

/** The jumps of an object that go to the first bytes of a function, from wherever: no site may take the place of what is there. */
export class BranchTargets {
  /** The addresses that jumps go to; true: from the function itself. */
  readonly #targets = new Map<number, boolean>();

  /** @param ranges all code of the object, by address: each begins where a function or a part of one does */
  constructor(elf: ElfFile, ranges: readonly CodeRange[]) {
    const starts = Float64Array.from(ranges, ({ start }) => start);
    const decoder = new Decoder();
    for (const range of ranges) {
      const code = elf.at(range.start, range.end - range.start);
      if (code === undefined) continue;
      for (let at = 0; at < code.length; at += decoder.length) {
        if (!decoder.read(code, at)) break;
        if (decoder.branchSize === 0 || decoder.flow === 'call') continue;
        const target = decoder.target(code, at)!;
        if (target >= START_SIZE && target < code.length) continue;
        this.#add(range.start + target, target >= 0 && target < code.length, starts);
      }
    }
  }

  #add(target: number, isOwn: boolean, starts: Float64Array): void {
    const start = starts[lastAtOrBefore(starts, target)];
    if (start === undefined || target >= start + START_SIZE) return;
    this.#targets.set(target, isOwn || this.#targets.get(target) === true);
  }

  /** Whether a jump goes to one of these addresses; `to` is not one. */
  hasAny(from: number, to: number): boolean {
    for (let address = from; address < to; address++) if (this.#targets.has(address)) return true;
    return false;
  }

  /** Whether the function at an address jumps back to it. */
  isLoop(address: number): boolean {
    return this.#targets.get(address) === true;
  }
}
