import type { TextSymbol } from './text-symbol.js';

/**
 * The symbols as kallsyms can list them. kallsyms has no sizes: an address belongs to the last symbol that begins at or before
 * it. So a function that goes on after an inner one is listed again where the inner one ends.
 * @param sorted by `low`; those that overlap are nested
 */
export function* symbolParts(sorted: Iterable<TextSymbol>): Generator<TextSymbol> {
  const open: TextSymbol[] = [];
  function* closeBefore(low: number): Generator<TextSymbol> {
    for (let inner = open.at(-1); inner !== undefined && endOf(inner) <= low; inner = open.at(-1)) {
      open.pop();
      const end = endOf(inner);
      const outer = open.at(-1);
      if (outer !== undefined && end < endOf(outer) && end < low) yield { ...outer, low: end, size: endOf(outer) - end };
    }
  }
  for (const symbol of sorted) {
    yield* closeBefore(symbol.low);
    yield symbol;
    open.push(symbol);
  }
  yield* closeBefore(Number.POSITIVE_INFINITY);
}

const endOf = (symbol: TextSymbol): number => symbol.low + symbol.size;
