import { hexText } from '../../symbol-printer.js';
import type { KallsymsTable } from '../report/kallsyms-table.js';

/** A function of a recording. Functions with the same name and module are one. */
export interface CalledFunction {
  /** `findItem`, `app.handle [express]`; the address if it has no name. */
  readonly name: string;
  /** `app.handle` and `express`; no module: the application, or the kernel. */
  readonly symbol: string;
  readonly module: string;
  /** The function's place among the recording's functions: visitors keep what they know of it in an array. */
  readonly index: number;
}

/** The functions of a recording by their addresses. */
export class CalledFunctions {
  readonly #symbols: KallsymsTable;
  /** By the symbols' serials: a map of objects took a tenth of a profile's time. */
  readonly #bySymbol: CalledFunction[] = [];
  readonly #byName = new Map<string, CalledFunction>();

  constructor(symbols: KallsymsTable) {
    this.#symbols = symbols;
  }

  /** The function of the address in two words of a record. */
  at(words: Uint32Array, index: number): CalledFunction {
    const symbol = this.#symbols.at(words, index);
    if (symbol === undefined) return this.#named(`0x${hexText(words[index + 1]!, words[index]!)}`, '');
    const known = this.#bySymbol[symbol.serial];
    if (known !== undefined) return known;
    const func = this.#named(symbol.text, symbol.module);
    this.#bySymbol[symbol.serial] = func;
    return func;
  }

  #named(symbol: string, module: string): CalledFunction {
    const name = module === '' ? symbol : `${symbol} [${module}]`;
    const known = this.#byName.get(name);
    if (known !== undefined) return known;
    const func = { name, symbol, module, index: this.#byName.size };
    this.#byName.set(name, func);
    return func;
  }
}
