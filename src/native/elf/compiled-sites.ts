import { type ElfFile, type ElfSection, SECTION, SEGMENT, stringAt } from './elf-file.js';
import { SITE_TABLES } from './site-tables.js';

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
