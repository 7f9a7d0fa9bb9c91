import { compareAddresses, hexAddress } from '../base/address.js';
import type { RegisterParameter } from '../base/register-parameter.js';

/** A symbol as the formatter needs it: its texts are created once, and a line of trace only copies them. */
export interface TextSymbol {
  readonly name: string;
  /** '' for the application's own package and fentry's own text. */
  readonly module: string;
  readonly address: number;
  /** Where the whole of it begins; absent if this is not a part that follows an inner symbol. */
  readonly whole?: number;
  /** In the units of the text: of a source, its UTF-16 units. */
  readonly size: number;
  readonly params: readonly string[];
  /** The parameters of a function of machine code, by its address; reading them takes time. Undefined: they are not known. */
  readonly registers?: ((address: number) => readonly RegisterParameter[] | undefined) | undefined;
  /** kallsyms letter: `t` for functions of a module's scope, `T` for fentry's own. */
  readonly type: string;
}

/** fentry's own text, 0xffffffff80000000 in every process: the address of writes to trace_marker. */
export const TRACING_MARK_WRITE: TextSymbol = {
  name: 'tracing_mark_write',
  module: '',
  address: -0x80000000,
  size: 0x40,
  params: [],
  type: 'T',
};

/** Whether a symbol that begins at or before the address contains it. */
function reaches({ address: start, size }: TextSymbol, address: number): boolean {
  // Negative if only the address lies in the upper half.
  const offset = address - start;
  return offset >= 0 && offset < size;
}

/** Address to symbol: exact starts by a map, anything inside a function by binary search. */
export class SymbolTable {
  readonly #exact = new Map<number, TextSymbol>();
  #sorted: readonly TextSymbol[] | undefined;
  /** For each sorted symbol the index of the enclosing one, -1 for none. */
  #around = new Int32Array(0);

  /** Adds symbols in any order. Those that overlap are nested. */
  add(symbols: Iterable<TextSymbol>): void {
    for (const symbol of symbols) this.#exact.set(symbol.address, symbol);
    this.#sorted = undefined;
  }

  /** How many there are. */
  get size(): number {
    return this.#exact.size;
  }

  /** The symbols from the one with this number on, in the order in which they came. */
  from(first: number): readonly TextSymbol[] {
    return [...this.#exact.values()].slice(first);
  }

  /** The innermost symbol that contains the address, or undefined. */
  find(address: number): TextSymbol | undefined {
    return this.#exact.get(address) ?? this.#inside(address);
  }

  /** Every symbol in the order of addresses, as kallsyms lists them. */
  parts(): Generator<TextSymbol> {
    return symbolParts(this.#inOrder());
  }

  #inOrder(): readonly TextSymbol[] {
    if (this.#sorted !== undefined) return this.#sorted;
    const symbols = [...this.#exact.values()].sort((a, b) => compareAddresses(a.address, b.address));
    this.#around = new Int32Array(symbols.length);
    let outer = -1;
    for (const [i, symbol] of symbols.entries()) {
      while (outer >= 0 && !reaches(symbols[outer]!, symbol.address)) outer = this.#around[outer]!;
      this.#around[i] = outer;
      outer = i;
    }
    this.#sorted = symbols;
    return symbols;
  }

  /** Functions nest: the nearest start may belong to one that ended before the address; then an enclosing one has it. */
  #inside(address: number): TextSymbol | undefined {
    const symbols = this.#inOrder();
    let from = 0;
    let to = symbols.length;
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (compareAddresses(symbols[middle]!.address, address) <= 0) from = middle + 1;
      else to = middle;
    }
    let i = from - 1;
    while (i >= 0 && !reaches(symbols[i]!, address)) i = this.#around[i]!;
    return symbols[i];
  }
}

const endOf = ({ address, size }: TextSymbol): number => address + size;

/**
 * The symbols as kallsyms can list them. kallsyms has no sizes: an address belongs to the last symbol that begins at or before
 * it. So a function that goes on after an inner one is listed again where the inner one ends.
 * @param sorted by address; those that overlap are nested
 */
export function* symbolParts(sorted: Iterable<TextSymbol>): Generator<TextSymbol> {
  const open: TextSymbol[] = [];
  /** Closes what does not reach the address; without one, everything. */
  function* close(address?: number): Generator<TextSymbol> {
    for (let inner = open.at(-1); inner !== undefined; inner = open.at(-1)) {
      if (address !== undefined && reaches(inner, address)) return;
      open.pop();
      const end = endOf(inner);
      const outer = open.at(-1);
      if (outer !== undefined && end < endOf(outer) && end !== address) {
        yield { ...outer, address: end, whole: outer.address, size: endOf(outer) - end };
      }
    }
  }
  for (const symbol of sorted) {
    yield* close(symbol.address);
    yield symbol;
    open.push(symbol);
  }
  yield* close();
}

/** One line of kallsyms: `ffffffff81000000 t name\t[module]`. */
export function kallsymsLine({ address, type, name, module }: TextSymbol): string {
  return `${hexAddress(address)} ${type} ${name}${module === '' ? '' : `\t[${module}]`}\n`;
}
