import { lastAtOrBefore } from '../../base/last-at-or-before.js';
import { type ElfFile, type ElfSection, wordAt } from './elf-file.js';
import { loadedWords } from './relocations.js';

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

/** The tables that compilers and recordmcount leave of sites, by the names of their sections, and how they are read. */
export const SITE_TABLES = {
  __patchable_function_entries: loadedWords,
  __mcount_loc: loadedWords,
  xray_instr_map: xrayEntries,
} as const satisfies Record<string, (elf: ElfFile, section: ElfSection) => number[]>;
export type SiteTable = keyof typeof SITE_TABLES;

/** An address that a table gives. */
export interface TabledSite {
  readonly address: number;
  readonly table: SiteTable;
}

/** The addresses that an object's own tables give; a linker leaves several sections of one name where it groups none. */
export class SiteTables {
  readonly #tables = new Map<number, SiteTable>();
  readonly #sorted: Float64Array;

  constructor(elf: ElfFile) {
    for (const section of elf.sections) {
      const read = Object.hasOwn(SITE_TABLES, section.name) ? SITE_TABLES[section.name as SiteTable] : undefined;
      for (const address of read?.(elf, section) ?? []) if (address !== 0) this.#tables.set(address, section.name as SiteTable);
    }
    this.#sorted = Float64Array.from(this.#tables.keys()).sort();
  }

  /** The table that gives an address. */
  at(address: number): SiteTable | undefined {
    return this.#tables.get(address);
  }

  /** The first address of a range, its end excluded. */
  first(from: number, to: number): TabledSite | undefined {
    const site = this.#site(lastAtOrBefore(this.#sorted, from - 1) + 1);
    return site !== undefined && site.address < to ? site : undefined;
  }

  /** The last address that is not above this one. */
  last(address: number): TabledSite | undefined {
    return this.#site(lastAtOrBefore(this.#sorted, address));
  }

  #site(index: number): TabledSite | undefined {
    const address = this.#sorted[index];
    return address === undefined ? undefined : { address, table: this.#tables.get(address)! };
  }
}
