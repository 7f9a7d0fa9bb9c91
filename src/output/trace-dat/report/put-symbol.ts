import type { ReportSymbol } from './kallsyms-table.js';
import { putBytes, putText } from './put.js';

/** An address without symbol, as `0x...`. */
export function putAddress(out: Uint8Array, at: number, high: number, low: number): number {
  return putText(out, at, `0x${hexAddress(high, low)}`);
}

export function putSymbol(out: Uint8Array, at: number, symbol: ReportSymbol | undefined, high: number, low: number): number {
  return symbol === undefined ? putAddress(out, at, high, low) : putBytes(out, at, symbol.name);
}

export function hexAddress(high: number, low: number): string {
  const digits = (low >>> 0).toString(16);
  return high === 0 ? digits : (high >>> 0).toString(16) + digits.padStart(8, '0');
}
