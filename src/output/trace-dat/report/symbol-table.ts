import { SymbolTable } from '../../../core/symbols.js';
import type { TextSymbol } from '../../../core/text-symbol.js';
import { originalName } from '../kallsyms-lines.js';

const LINE = /^([0-9a-f]{1,8}?)([0-9a-f]{8}) (\S) (\S+)(?:\t\[(.*)\])?$/gim;

/** Sizes are not in kallsyms: a symbol reaches to the next one, the last one so far. */
const LAST_SIZE = 0x1000;

/** The lines of kallsyms as the printers of `trace` want them. */
export function symbolTableOf(kallsyms: Buffer): SymbolTable {
  const ranges = new Map<number, TextSymbol[]>();
  for (const [, high, low, type, name, module] of kallsyms.toString('utf8').matchAll(LINE)) {
    const symbol = {
      name: originalName(name!),
      module: module ?? '',
      low: Number.parseInt(low!, 16),
      size: 0,
      params: [],
      type: type!,
    };
    const range = ranges.get(Number.parseInt(high!, 16));
    if (range === undefined) ranges.set(Number.parseInt(high!, 16), [symbol]);
    else range.push(symbol);
  }
  const table = new SymbolTable();
  for (const [high, symbols] of ranges) {
    symbols.sort((a, b) => a.low - b.low);
    table.add(
      high,
      symbols.map((symbol, i) => ({ ...symbol, size: (symbols[i + 1]?.low ?? symbol.low + LAST_SIZE) - symbol.low })),
    );
  }
  return table;
}
