import { ELF_ABIS } from '../machines/elf-abis.js';
import { type ElfFile, type ElfSection, SECTION, wordAt } from './elf-file.js';
import { symbolNames } from './symbols.js';

const RELA_SIZE = 24;

/** Loaded relocations; those of a relocatable object refer to its sections. */
const relaSections = (elf: ElfFile): readonly ElfSection[] => elf.sectionsOfType(SECTION.rela).filter(({ flags }) => flags !== 0);

/** The words into which the loader writes the address of a function or variable, by their addresses: the name of each. */
export function slotNames(elf: ElfFile): Map<number, string> {
  const slots = new Map<number, string>();
  const { symbol } = ELF_ABIS[elf.machine];
  for (const section of relaSections(elf)) {
    const entries = elf.contents(section);
    const nameOf = symbolNames(elf, elf.sections[section.link]);
    for (let at = 0; at + RELA_SIZE <= entries.length; at += RELA_SIZE) {
      if (symbol.includes(entries.readUInt32LE(at + 8))) slots.set(wordAt(entries, at), nameOf(entries.readUInt32LE(at + 12)));
    }
  }
  return slots;
}

/** The addresses that the loader writes into an object's data with its bias, as its table of relocations has them. */
export function* relativeAddends(elf: ElfFile): Generator<number> {
  const { relative } = ELF_ABIS[elf.machine];
  for (const section of relaSections(elf)) {
    const entries = elf.contents(section);
    for (let at = 0; at + RELA_SIZE <= entries.length; at += RELA_SIZE) {
      if (entries.readUInt32LE(at + 8) === relative) yield wordAt(entries, at + 16);
    }
  }
}

/**
 * The words of a section as the loader leaves them, without the bias: those that are 0 in the file have their value in a
 * relocation.
 */
export function loadedWords(elf: ElfFile, section: ElfSection): number[] {
  const contents = elf.contents(section);
  const words: number[] = [];
  for (let at = 0; at + 8 <= contents.length; at += 8) words.push(wordAt(contents, at));
  const end = section.address + section.size;
  const { relative } = ELF_ABIS[elf.machine];
  for (const one of relaSections(elf)) {
    const entries = elf.contents(one);
    for (let at = 0; at + RELA_SIZE <= entries.length; at += RELA_SIZE) {
      const address = wordAt(entries, at);
      if (address < section.address || address >= end || entries.readUInt32LE(at + 8) !== relative) continue;
      words[(address - section.address) / 8] = wordAt(entries, at + 16);
    }
  }
  return words;
}
