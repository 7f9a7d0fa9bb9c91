import { attempt } from '../../base/attempt.js';
import { type ElfFile, openElf, SECTION, stringAt, wordAt } from '../../native/elf/elf-file.js';
import { type MappedRange, processMaps } from '../../native/process/process-maps.js';

/** Where V8 keeps what of its frames and objects: constants that it puts into executables for debuggers, by their names. */
export interface V8Layout {
  /** The first of these constants that the version has. @throws Error if it has none */
  value(...names: readonly string[]): number;
  has(name: string): boolean;
}

const PREFIX = 'v8dbg_';
const SYMBOL_SIZE = 24;
/** Distributions that put Node into a shared library. */
const LIBRARY = /\/libnode\.so[\d.]*$/;

/** The constants of the executable, or the library, that a process runs; undefined if it has none. */
export function v8Layout(pid: number): V8Layout | undefined {
  const files = [`/proc/${pid}/exe`, ...libraries(pid)];
  for (const file of files) {
    const known = attempt(() => constantsOf(openElf(file)));
    if (known === undefined || known.size === 0) continue;
    return {
      has: (name) => known.has(name),
      value(...names) {
        const found = names.find((name) => known.has(name));
        if (found === undefined) throw new Error(`this V8 does not say ${names.join(', or ')}`);
        return known.get(found)!;
      },
    };
  }
  return undefined;
}

const libraries = (pid: number): readonly string[] => {
  const ranges: readonly MappedRange[] = attempt(() => processMaps(pid)) ?? [];
  const paths = ranges.map(({ path }) => path).filter((path) => LIBRARY.test(path));
  return [...new Set(paths)].map((path) => `/proc/${pid}/root${path}`);
};

/** The 32-bit values of the symbols that begin with PREFIX, by the rest of their names. */
function constantsOf(elf: ElfFile): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const table of elf.sectionsOfType(SECTION.dynsym)) {
    const symbols = elf.contents(table);
    const names = elf.contents(elf.sections[table.link]!);
    for (let at = 0; at + SYMBOL_SIZE <= symbols.length; at += SYMBOL_SIZE) {
      const name = symbols.readUInt32LE(at);
      if (names.toString('latin1', name, name + PREFIX.length) !== PREFIX) continue;
      const bytes = elf.at(wordAt(symbols, at + 8), 4);
      // A constant of 0 may stand in memory that the file does not hold.
      found.set(stringAt(names, name + PREFIX.length), bytes?.length === 4 ? bytes.readInt32LE() : 0);
    }
  }
  return found;
}
