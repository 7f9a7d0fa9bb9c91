import { type ElfFile, type ElfSection, wordAt } from './elf-file.js';
import { loadedWords } from './relocations.js';

/** The tables that compilers and recordmcount leave of sites. */
export type SiteTable = '__patchable_function_entries' | '__mcount_loc' | 'xray_instr_map';

/** Kinds of XRay's places at which a function begins: plain, and with its first argument logged. */
const XRAY_ENTRIES = [0, 3];
const XRAY_SIZE = 32;
/** From this version on a place is told by its distance from the entry that tells it. */
const XRAY_RELATIVE = 2;

function xrayEntries(elf: ElfFile, section: ElfSection): number[] {
  const map = elf.contents(section);
  const words = loadedWords(elf, section);
  const found: number[] = [];
  for (let at = 0; at + XRAY_SIZE <= map.length; at += XRAY_SIZE) {
    if (!XRAY_ENTRIES.includes(map[at + 16]!)) continue;
    found.push(map[at + 18]! >= XRAY_RELATIVE ? section.address + at + wordAt(map, at) : words[at / 8]!);
  }
  return found;
}

const READERS: Record<SiteTable, (elf: ElfFile, section: ElfSection) => number[]> = {
  __patchable_function_entries: loadedWords,
  __mcount_loc: loadedWords,
  xray_instr_map: xrayEntries,
};

/** The addresses that an object's own tables give, with the table; a linker leaves several sections of one name where it groups none. */
export function tabledSites(elf: ElfFile): Map<number, SiteTable> {
  const sites = new Map<number, SiteTable>();
  for (const section of elf.sections) {
    const read = Object.hasOwn(READERS, section.name) ? READERS[section.name as SiteTable] : undefined;
    for (const address of read?.(elf, section) ?? []) if (address !== 0) sites.set(address, section.name as SiteTable);
  }
  return sites;
}
