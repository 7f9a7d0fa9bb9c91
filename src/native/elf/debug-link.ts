import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { debugFile } from './build-id.js';
import { type ElfFile, stringAt } from './elf-file.js';

const DEBUG_FOLDER = '/usr/lib/debug';

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
