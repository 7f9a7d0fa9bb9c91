import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { debugFile } from './build-id.js';
import { type ElfFile, stringAt } from './elf-file.js';

const DEBUG_FOLDER = '/usr/lib/debug';

/** The name in a section that names another file, as .gnu_debuglink does. */
function linked(elf: ElfFile, name: string): string | undefined {
  const section = elf.section(name);
  const text = section && stringAt(elf.contents(section), 0);
  return text === '' ? undefined : text;
}

/** The file with what debuggers need of an object, by its build id or by the name that it has (.gnu_debuglink), where debuggers look for it. */
export function separateDebugFile(elf: ElfFile): string | undefined {
  const byId = debugFile(elf);
  const name = linked(elf, '.gnu_debuglink');
  if (byId !== undefined || name === undefined) return byId;
  const folder = dirname(elf.file);
  const paths = [join(folder, name), join(folder, '.debug', name), join(DEBUG_FOLDER, folder, name)];
  return paths.find((path) => path !== elf.file && existsSync(path));
}

/** The file that has what several objects share (.gnu_debugaltlink). @param file that in which the link stands */
export function supplementaryFile(elf: ElfFile, file: string): string | undefined {
  const name = linked(elf, '.gnu_debugaltlink');
  if (name === undefined) return undefined;
  const path = join(name.startsWith('/') ? '' : dirname(file), name);
  return existsSync(path) ? path : undefined;
}
