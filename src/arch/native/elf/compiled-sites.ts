import { type ElfFile, SECTION, stringAt } from './elf-file.js';
import { SITE_TABLES } from './site-tables.js';

/** The profiler's functions that compilers call: -pg, -pg -mfentry; clang's name of the first has an escape before it. */
const PROFILERS = ['__fentry__', 'mcount', '_mcount', '__mcount', '\u0001_mcount'];
const PROFILER_ENDS = ['mcount\0', '__fentry__\0'];
const SYMBOL_SIZE = 24;

/**
 * Whether an object may have sites that its compiler has left and that are not one NOP each: from what is fast to look at, without its
 * functions. NOPs that no table lists are not found.
 * @param isExecutable a program that is linked statically has the profiler inside; a library that has it is the C library, which does not call it
 */
export function hasCompiledSites(elf: ElfFile, isExecutable: boolean): boolean {
  if (elf.sections.some(({ name }) => Object.hasOwn(SITE_TABLES, name))) return true;
  const tables = [...elf.sectionsOfType(SECTION.dynsym), ...(isExecutable ? elf.sectionsOfType(SECTION.symtab) : [])];
  return tables.some((table) => {
    const strings = elf.sections[table.link];
    const names = strings === undefined ? Buffer.alloc(0) : elf.contents(strings);
    // Nearly all objects have no such name: their symbols are not looked at. A name may be the end of a longer one.
    if (!PROFILER_ENDS.some((end) => names.includes(end))) return false;
    const symbols = elf.contents(table);
    for (let at = 0; at + SYMBOL_SIZE <= symbols.length; at += SYMBOL_SIZE) {
      const isImported = symbols.readUInt16LE(at + 6) === 0;
      if ((isImported || isExecutable) && PROFILERS.includes(stringAt(names, symbols.readUInt32LE(at)))) return true;
    }
    return false;
  });
}
