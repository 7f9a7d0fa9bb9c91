import { symbolParts } from './symbol-parts.js';
import type { TextSymbol } from './text-symbol.js';

/** fentry's own text: the address of writes to trace_marker, below the first linked text. */
export const TRACING_MARK_WRITE: TextSymbol = {
  name: 'tracing_mark_write',
  module: '',
  low: 0x80000000,
  size: 0x40,
  params: [],
  type: 'T',
};

/**
 * Address to symbol: exact starts by a map, anything inside a function by binary search. Addresses share their high 32 bits
 * within a process; several processes recorded together differ in them.
 */
export class SymbolTable {
  readonly #ranges = new Map<number, RangeTable>();

  /** Adds symbols below one `high`; those of a text linked later may come in any order. */
  add(high: number, symbols: Iterable<TextSymbol>): void {
    let range = this.#ranges.get(high | 0);
    if (range === undefined) {
      range = new RangeTable();
      this.#ranges.set(high | 0, range);
    }
    range.add(symbols);
  }

  /** The innermost symbol that contains the address, or undefined. */
  find(high: number, low: number): TextSymbol | undefined {
    return this.#ranges.get(high | 0)?.find(low >>> 0);
  }

  /** Every symbol in the order of addresses, as kallsyms lists them (symbolParts), with the high bits of each. */
  *parts(): Generator<readonly [high: number, symbol: TextSymbol]> {
    for (const [high, range] of this.#sortedRanges()) for (const part of symbolParts(range.sorted())) yield [high, part];
  }

  #sortedRanges(): (readonly [high: number, range: RangeTable])[] {
    return [...this.#ranges].map(([high, range]) => [high >>> 0, range] as const).sort(([a], [b]) => a - b);
  }
}

class RangeTable {
  readonly #exact = new Map<number, TextSymbol>();
  #sorted: TextSymbol[] | undefined;
  /** For each sorted symbol the index of the enclosing one, -1 for none. */
  #around = new Int32Array(0);

  add(symbols: Iterable<TextSymbol>): void {
    for (const symbol of symbols) this.#exact.set(symbol.low | 0, symbol);
    this.#sorted = undefined;
  }

  find(low: number): TextSymbol | undefined {
    return this.#exact.get(low | 0) ?? this.#inside(low);
  }

  sorted(): readonly TextSymbol[] {
    if (this.#sorted !== undefined) return this.#sorted;
    const symbols = [...this.#exact.values()].sort((a, b) => a.low - b.low);
    this.#around = new Int32Array(symbols.length);
    let outer = -1;
    for (const [i, symbol] of symbols.entries()) {
      while (outer >= 0 && end(symbols[outer]!) <= symbol.low) outer = this.#around[outer]!;
      this.#around[i] = outer;
      outer = i;
    }
    this.#sorted = symbols;
    return symbols;
  }

  /** Functions nest: the nearest start may belong to one that ended before the address; then an enclosing one has it. */
  #inside(low: number): TextSymbol | undefined {
    const symbols = this.sorted();
    let from = 0;
    let to = symbols.length;
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (symbols[middle]!.low <= low) from = middle + 1;
      else to = middle;
    }
    let i = from - 1;
    while (i >= 0 && end(symbols[i]!) <= low) i = this.#around[i]!;
    return symbols[i];
  }
}

const end = (symbol: TextSymbol): number => symbol.low + symbol.size;

const hex8 = (n: number): string => (n >>> 0).toString(16).padStart(8, '0');

/** 16 hex digits, as kallsyms and `sym-addr` show an address. */
export const hexAddress = (high: number, low: number): string => hex8(high) + hex8(low);

/** One line of kallsyms: `ffffffff81000000 t name\t[module]`. */
export function kallsymsLine(high: number, symbol: TextSymbol): string {
  const module = symbol.module === '' ? '' : `\t[${symbol.module}]`;
  return `${hexAddress(high, symbol.low)} ${symbol.type} ${symbol.name}${module}\n`;
}
