import { existsSync } from 'node:fs';
import { type ElfFile, SECTION, stringAt } from './elf-file.js';

/** n_type of the note of owner GNU. */
const NT_GNU_BUILD_ID = 3;
const DEBUG_FOLDER = '/usr/lib/debug/.build-id';

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
  const path = `${DEBUG_FOLDER}/${id.slice(0, 2)}/${id.slice(2)}.debug`;
  return existsSync(path) ? path : undefined;
}
