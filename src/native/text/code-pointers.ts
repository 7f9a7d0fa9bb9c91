import { type ElfFile, type ElfSection, SECTION, SECTION_FLAG, SEGMENT, SEGMENT_FLAG } from '../elf/elf-file.js';
import { landingPads } from '../elf/landing-pads.js';
import { relativeAddends } from '../elf/relocations.js';
import type { CodeRange } from './object-functions.js';

/** Bytes that are looked at in one piece. */
const PIECE = 1 << 20;
const TWO_32 = 2 ** 32;
/** Tables of the linker and of unwinders, which have no pointers. */
const NO_POINTERS = /^\.(eh_frame|eh_frame_hdr|gcc_except_table|gnu\..*|hash|dynstr|note.*)$/;

/** Where an object's data can have pointers, at addresses of the file. */
function pointerRanges(elf: ElfFile): readonly CodeRange[] {
  const { sections, segments } = elf;
  if (sections.length === 0) {
    return segments
      .filter(({ type, flags }) => type === SEGMENT.load && (flags & SEGMENT_FLAG.execute) === 0)
      .map(({ address, fileSize }) => ({ start: address, end: address + fileSize }));
  }
  // In what lies anywhere, a pointer needs a relocation: its value is in that, or, if relocations are packed, in data that can be
  // written.
  const isFixed = elf.type === 'executable';
  const isPacked = elf.sectionsOfType(SECTION.relr).length > 0;
  const holdsPointers = ({ name, type, flags }: ElfSection): boolean =>
    (flags & SECTION_FLAG.alloc) !== 0 &&
    (flags & SECTION_FLAG.execute) === 0 &&
    type !== SECTION.nobits &&
    !NO_POINTERS.test(name) &&
    (isFixed || (isPacked && (flags & SECTION_FLAG.write) !== 0));
  return sections.filter(holdsPointers).map(({ address, size }) => ({ start: address, end: address + size }));
}

/**
 * Tells which addresses of code are in an object's data: pointers, tables of addresses, and where exceptions go on. A number that
 * only looks like an address may be told too.
 * @param code from the first address of code to the last
 */
export function codePointers(elf: ElfFile, { start, end }: CodeRange, found: (address: number) => void): void {
  const check = (address: number): void => {
    if (address >= start && address < end) found(address);
  };
  for (const range of pointerRanges(elf)) {
    for (let at = Math.ceil(range.start / 8) * 8; at + 8 <= range.end; at += PIECE) {
      const bytes = elf.at(at, Math.min(PIECE, range.end - at));
      if (bytes === undefined) break;
      // A copy is aligned.
      const words = new Uint32Array(Uint8Array.from(bytes).buffer, 0, (bytes.length >> 3) * 2);
      for (let i = 0; i < words.length; i += 2) check((words[i + 1]! | 0) * TWO_32 + words[i]!);
    }
  }
  for (const address of relativeAddends(elf)) check(address);
  for (const pad of landingPads(elf)) check(pad);
}
