import type { Long } from '../../../events/c-types.js';
import { hexText, type PrintedSymbol, type SymbolTexts } from '../../symbol-printer.js';
import type { KallsymsTable } from './kallsyms-table.js';

/** The names of a recording's symbols, as `trace-cmd report` prints them: without module, in one style. */
export class RecordedSymbols implements SymbolTexts {
  readonly #table: KallsymsTable;

  constructor(table: KallsymsTable) {
    this.#table = table;
  }

  at(words: Uint32Array, index: number): PrintedSymbol | undefined {
    return this.#table.at(words, index);
  }

  unknown(high: number, low: number, lead: string): string {
    return lead + hexText(high, low);
  }

  text(address: Long, withOffset: boolean): string {
    const bits = BigInt.asIntN(64, BigInt(address));
    const symbol = this.#table.find(Number(bits >> 32n), Number(BigInt.asIntN(32, bits)));
    if (symbol === undefined) return `0x${BigInt.asUintN(64, bits).toString(16)}`;
    return withOffset ? `${symbol.text}+0x${(Number(bits) - symbol.address).toString(16)}` : symbol.text;
  }
}
