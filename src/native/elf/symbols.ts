import { type ElfFile, type ElfSection, SECTION, stringAt, wordAt } from './elf-file.js';

/** st_info: what a symbol is, and who sees it. */
const TYPE = { none: 0, object: 1, function: 2, common: 5, ifunc: 10 } as const;
/** Bytes of a symbol. */
export const SYMBOL_SIZE = 24;
/** Sections from this number on are none: the symbol has no address. */
const FIRST_RESERVED = 0xff00;

/** A function symbol of an object. */
export interface ElfSymbol {
  readonly name: string;
  readonly address: number;
  /** In bytes; 0: not known. */
  readonly size: number;
  /** The code at its address only chooses the function that the name stands for. */
  readonly isIfunc: boolean;
}

/** The name of a symbol by its number in the table that a section of relocations refers to. */
export function symbolNames(elf: ElfFile, table: ElfSection | undefined): (index: number) => string {
  const strings = table && elf.sections[table.link];
  if (table === undefined || strings === undefined) return () => '';
  const symbols = elf.contents(table);
  const names = elf.contents(strings);
  return (index) =>
    (index + 1) * SYMBOL_SIZE > symbols.length ? '' : stringAt(names, symbols.readUInt32LE(index * SYMBOL_SIZE));
}

/**
 * The name that programs link with: `fclose` of `fclose@@GLIBC_2.2.5`. One `@` marks an older version, which has another
 * function.
 */
export function withoutVersion(name: string): string {
  const end = name.indexOf('@@');
  return end <= 0 ? name : name.slice(0, end);
}

/** Whether the symbol at an offset of a table is of a function that the object defines. */
export function isDefinedFunction(symbols: Buffer, at: number): boolean {
  const type = symbols[at + 4]! & 15;
  // Section 0: defined in another object.
  return (type === TYPE.function || type === TYPE.ifunc) && symbols.readUInt16LE(at + 6) !== 0;
}

/** The functions that one symbol table defines. */
function* functionsOf(elf: ElfFile, table: ElfSection): Generator<ElfSymbol> {
  const symbols = elf.contents(table);
  const nameOf = symbolNames(elf, table);
  for (let at = 0; at + SYMBOL_SIZE <= symbols.length; at += SYMBOL_SIZE) {
    if (!isDefinedFunction(symbols, at)) continue;
    const name = withoutVersion(nameOf(at / SYMBOL_SIZE));
    if (name === '') continue;
    const isIfunc = (symbols[at + 4]! & 15) === TYPE.ifunc;
    yield { name, address: wordAt(symbols, at + 8), size: wordAt(symbols, at + 16), isIfunc };
  }
}

/** The functions that an object defines and shows to others: global and weak, not hidden. */
export function* definedFunctions(elf: ElfFile): Generator<ElfSymbol> {
  for (const table of elf.sectionsOfType(SECTION.dynsym)) yield* functionsOf(elf, table);
}

/** The addresses of an object's variables and functions, by name; of several with one name that of the first. */
export function symbolAddresses(elf: ElfFile): ReadonlyMap<string, number> {
  const addresses = new Map<string, number>();
  const kinds: readonly number[] = [TYPE.object, TYPE.function, TYPE.common, TYPE.none];
  for (const table of [...elf.sectionsOfType(SECTION.symtab), ...elf.sectionsOfType(SECTION.dynsym)]) {
    const symbols = elf.contents(table);
    const nameOf = symbolNames(elf, table);
    for (let at = 0; at + SYMBOL_SIZE <= symbols.length; at += SYMBOL_SIZE) {
      const section = symbols.readUInt16LE(at + 6);
      if (section === 0 || section >= FIRST_RESERVED || !kinds.includes(symbols[at + 4]! & 15)) continue;
      const [name = ''] = nameOf(at / SYMBOL_SIZE).split('@');
      if (name !== '' && !addresses.has(name)) addresses.set(name, wordAt(symbols, at + 8));
    }
  }
  return addresses;
}

/** The functions that an object defines by its full symbol table or, where that was stripped, by the one for the loader. */
export function* functionSymbols(elf: ElfFile): Generator<ElfSymbol> {
  for (const table of functionTables(elf)) yield* functionsOf(elf, table);
}

/** The full symbol table or, where that was stripped, the one for the loader. */
export function functionTables(elf: ElfFile): readonly ElfSection[] {
  const full = elf.sectionsOfType(SECTION.symtab);
  return full.length > 0 ? full : elf.sectionsOfType(SECTION.dynsym);
}

const END = 0;
/** What the version of a symbol follows. */
const AT = 0x40;

/**
 * The address of the function that an object defines by a name, with whatever version; undefined: none. No other name is decoded.
 */
export function functionAddress(elf: ElfFile, name: string): number | undefined {
  for (const table of functionTables(elf)) {
    const strings = elf.sections[table.link];
    if (strings === undefined) continue;
    const names = elf.contents(strings);
    const found = new Set<number>();
    for (let at = names.indexOf(name); at >= 0; at = names.indexOf(name, at + 1)) {
      const next = names[at + name.length];
      if (next === END || next === AT) found.add(at);
    }
    const symbols = found.size === 0 ? Buffer.alloc(0) : elf.contents(table);
    for (let at = 0; at + SYMBOL_SIZE <= symbols.length; at += SYMBOL_SIZE) {
      if (found.has(symbols.readUInt32LE(at)) && isDefinedFunction(symbols, at)) return wordAt(symbols, at + 8);
    }
  }
  return undefined;
}
