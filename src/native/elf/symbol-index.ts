import { symbolFile } from './debug-files.js';
import { type ElfFile, openElf, wordAt } from './elf-file.js';
import { functionTables, isDefinedFunction, SYMBOL_SIZE, symbolNames, withoutVersion } from './symbols.js';

/** A function by its symbol. */
export interface IndexedSymbol {
  /** The names that the object has for it, which may be several. */
  readonly names: readonly string[];
  readonly address: number;
  /** In bytes; 0: not known. */
  readonly size: number;
}

/**
 * Finds the symbol of the function at an address, of all that an object has. Few addresses are asked for, so all symbols are
 * looked through for each: that is quicker than to order hundreds of thousands. Names are decoded when they are asked for.
 */
export class SymbolIndex {
  readonly #symbols: Buffer;
  /** Where the symbols of functions are in their table, and the addresses of these. */
  readonly #offsets: Uint32Array;
  readonly #starts: Float64Array;
  readonly #nameOf: (number: number) => string;

  /** @param elf if it was stripped, the file with its symbols is read, if that is installed */
  constructor(elf: ElfFile) {
    const path = symbolFile(elf);
    const found = path === undefined ? elf : openElf(path);
    const [table] = functionTables(found);
    const symbols = table === undefined ? Buffer.alloc(0) : found.contents(table);
    const most = Math.floor(symbols.length / SYMBOL_SIZE);
    const [offsets, starts] = [new Uint32Array(most), new Float64Array(most)];
    let count = 0;
    for (let at = 0; at + SYMBOL_SIZE <= symbols.length; at += SYMBOL_SIZE) {
      if (!isDefinedFunction(symbols, at)) continue;
      offsets[count] = at;
      starts[count++] = wordAt(symbols, at + 8);
    }
    this.#symbols = symbols;
    this.#offsets = offsets.subarray(0, count);
    this.#starts = starts.subarray(0, count);
    this.#nameOf = symbolNames(found, table);
  }

  /** The last function that begins at an address or before it; undefined: none does. */
  before(address: number): IndexedSymbol | undefined {
    const starts = this.#starts;
    let last = -1;
    for (let i = 0; i < starts.length; i++) {
      const start = starts[i]!;
      if (start <= address && start > last) last = start;
    }
    if (last < 0) return undefined;
    const names: string[] = [];
    let size = 0;
    for (let i = starts.indexOf(last); i >= 0; i = starts.indexOf(last, i + 1)) {
      const at = this.#offsets[i]!;
      const name = withoutVersion(this.#nameOf(at / SYMBOL_SIZE));
      if (name !== '') names.push(name);
      size = Math.max(size, wordAt(this.#symbols, at + 16));
    }
    return { names, address: last, size };
  }
}
