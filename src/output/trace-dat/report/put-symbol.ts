import type { KallsymsTable } from './kallsyms-table.js';
import { putBytes, putText } from './put.js';

/** An address without symbol, as `0x...`. */
export function putAddress(out: Uint8Array, at: number, high: number, low: number): number {
  return putText(out, at, `0x${hexAddress(high, low)}`);
}

/** The name of the address in two words of a record, or the address. */
export function putSymbol(out: Uint8Array, at: number, symbols: KallsymsTable, words: Uint32Array, index: number): number {
  const symbol = symbols.at(words, index);
  return symbol === undefined ? putAddress(out, at, words[index + 1]!, words[index]!) : putBytes(out, at, symbol.name);
}

export function hexAddress(high: number, low: number): string {
  const digits = (low >>> 0).toString(16);
  return high === 0 ? digits : (high >>> 0).toString(16) + digits.padStart(8, '0');
}
