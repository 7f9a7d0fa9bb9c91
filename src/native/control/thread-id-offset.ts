import { attempt } from '../../base/attempt.js';
import { type ElfFile, openElf, SECTION, stringAt, wordAt } from '../elf/elf-file.js';
import { processMachine } from '../machines/process-machine.js';
import { type MappedRange, mappedObjects } from '../process/process-maps.js';

/**
 * What the C library tells debuggers: the place of a thread's id in what it keeps of a thread, as three words of 32 bits (bits,
 * elements, byte offset); and how large that is.
 */
const [THREAD_ID, THREAD_BYTES] = ['_thread_db_pthread_tid', '_thread_db_sizeof_pthread'];
const C_LIBRARY = /\/lib(c|pthread)[.-][^/]*$/;
const SYMBOL_SIZE = 24;
const ID_BITS = 32;
const DESCRIPTION_BYTES = 12;

/** Bytes from the thread pointer to the thread's id, as the process's C library says; undefined: it does not. */
export function threadIdOffset(pid: number, maps: readonly MappedRange[]): number | undefined {
  for (const { path } of mappedObjects(maps)) {
    if (!C_LIBRARY.test(path)) continue;
    const offset = attempt(() => offsetIn(openElf(`/proc/${pid}/root${path}`, path)));
    if (offset !== undefined) return offset;
  }
  return undefined;
}

function offsetIn(elf: ElfFile): number | undefined {
  const id = variable(elf, THREAD_ID);
  if (id?.readUInt32LE(0) !== ID_BITS) return undefined;
  const offset = id.readUInt32LE(8);
  if (processMachine.threadPointer === 'at the thread') return offset;
  const size = variable(elf, THREAD_BYTES)?.readUInt32LE(0);
  return size === undefined ? undefined : offset - size;
}

/** The bytes of such a variable that an object offers. */
function variable(elf: ElfFile, name: string): Buffer | undefined {
  for (const table of elf.sectionsOfType(SECTION.dynsym)) {
    const symbols = elf.contents(table);
    const names = elf.contents(elf.sections[table.link]!);
    for (let at = 0; at + SYMBOL_SIZE <= symbols.length; at += SYMBOL_SIZE) {
      if (stringAt(names, symbols.readUInt32LE(at)) === name) return elf.at(wordAt(symbols, at + 8), DESCRIPTION_BYTES);
    }
  }
  return undefined;
}
