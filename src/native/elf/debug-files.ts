/** The files beside an object that have what was stripped from it or is shared with others: symbols, debug information. */
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type ElfFile, openElf, SECTION, stringAt } from './elf-file.js';
import { type ElfSymbol, functionSymbols } from './symbols.js';

/** n_type of the note of owner GNU. */
const NT_GNU_BUILD_ID = 3;
const DEBUG_FOLDER = '/usr/lib/debug';

const aligned = (size: number): number => (size + 3) & ~3;

/** The id that the linker gave an object, in hexadecimal digits; undefined: none. */
export function buildId(elf: ElfFile): string | undefined {
  for (const section of elf.sectionsOfType(SECTION.note)) {
    const notes = elf.contents(section);
    for (let at = 0; at + 12 <= notes.length; ) {
      const [nameSize, size, type] = [0, 4, 8].map((offset) => notes.readUInt32LE(at + offset)) as [number, number, number];
      const contents = at + 12 + aligned(nameSize);
      if (type === NT_GNU_BUILD_ID && stringAt(notes, at + 12) === 'GNU') return notes.toString('hex', contents, contents + size);
      at = contents + aligned(size);
    }
  }
  return undefined;
}

/** The file with the symbols of a stripped object, if its package of debug symbols is installed. */
export function debugFile(elf: ElfFile): string | undefined {
  const id = buildId(elf);
  if (id === undefined) return undefined;
  const path = `${DEBUG_FOLDER}/.build-id/${id.slice(0, 2)}/${id.slice(2)}.debug`;
  return existsSync(path) ? path : undefined;
}

/** The file with the symbols of an object, if that was stripped and its package of debug symbols is installed. */
export const symbolFile = (elf: ElfFile): string | undefined =>
  elf.section('.symtab') === undefined ? debugFile(elf) : undefined;

/** The functions of an object, from its file of debug symbols if that is installed and the object was stripped. */
export function symbolsOf(elf: ElfFile): ElfSymbol[] {
  const path = symbolFile(elf);
  return [...functionSymbols(path === undefined ? elf : openElf(path))];
}

/** The name in a section that names another file, as .gnu_debuglink does. */
function linked(elf: ElfFile, name: string): string | undefined {
  const section = elf.section(name);
  const text = section && stringAt(elf.contents(section), 0);
  return text === '' ? undefined : text;
}

/**
 * The file with what debuggers need of an object, by its build id or by the name that it has (.gnu_debuglink), where debuggers
 * look for it.
 */
export function separateDebugFile(elf: ElfFile): string | undefined {
  const byId = debugFile(elf);
  const name = linked(elf, '.gnu_debuglink');
  if (byId !== undefined || name === undefined) return byId;
  const folder = dirname(elf.file);
  const paths = [join(folder, name), join(folder, '.debug', name), join(DEBUG_FOLDER, folder, name)];
  return paths.find((path) => path !== elf.file && existsSync(path));
}

/**
 * The name of the file that has what several objects share (.gnu_debugaltlink, of DWARF 5 .debug_sup); undefined: they share
 * nothing.
 */
export function supplementaryName(elf: ElfFile): string | undefined {
  const standard = elf.section('.debug_sup');
  // Its version, and whether it is itself such a file.
  const name = standard && stringAt(elf.contents(standard), 3);
  return name || linked(elf, '.gnu_debugaltlink');
}

/** The supplementary file; undefined: it is not there. @param file that in which the link stands */
export function supplementaryFile(name: string, file: string): string | undefined {
  const path = resolve(dirname(file), name);
  return existsSync(path) ? path : undefined;
}
