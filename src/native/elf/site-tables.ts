import { lastAtOrBefore } from '../../base/last-at-or-before.js';
import { type ElfFile, type ElfSection, SECTION, SEGMENT, stringAt, wordAt } from './elf-file.js';
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

/** The profiler's functions that compilers call: -pg, -pg -mfentry; clang's name of the first has an escape before it. */
const PROFILERS = ['__fentry__', 'mcount', '_mcount', '__mcount', '\u0001_mcount'];
const SYMBOL_SIZE = 24;
/** Bytes of names that are read although it is unlikely that one of them is the profiler's. */
const MOST_NAMES = 2 ** 20;

/**
 * Whether an object may have sites that its compiler has left and that are not one NOP each: from what is fast to look at,
 * without its functions. Not found are NOPs that no table lists, and a profiler that a library or a large program has inside: a
 * library that has one is the C library, which does not call it.
 * @param isExecutable a program that is linked statically has the profiler inside
 */
export function hasCompiledSites(elf: ElfFile, isExecutable: boolean): boolean {
  if (elf.sections.some(({ name }) => Object.hasOwn(SITE_TABLES, name))) return true;
  if (elf.sectionsOfType(SECTION.dynsym).some((table) => hasProfiler(elf, table, true))) return true;
  const isStatic = elf.segments.every(({ type }) => type !== SEGMENT.interpreter);
  return (
    isExecutable &&
    elf
      .sectionsOfType(SECTION.symtab)
      .some((table) => (isStatic || (elf.sections[table.link]?.size ?? 0) <= MOST_NAMES) && hasProfiler(elf, table, false))
  );
}

function hasProfiler(elf: ElfFile, table: ElfSection, isImported: boolean): boolean {
  const strings = elf.sections[table.link];
  if (strings === undefined) return false;
  const [symbols, names] = [elf.contents(table), elf.contents(strings)];
  for (let at = 0; at + SYMBOL_SIZE <= symbols.length; at += SYMBOL_SIZE) {
    // Section 0: defined in another object.
    if (isImported && symbols.readUInt16LE(at + 6) !== 0) continue;
    if (PROFILERS.includes(stringAt(names, symbols.readUInt32LE(at)))) return true;
  }
  return false;
}
