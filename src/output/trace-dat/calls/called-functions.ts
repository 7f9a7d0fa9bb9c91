import { isOwnCode } from '../../../answers/own-code.js';
import type { Place } from '../../../answers/place.js';
import { placeWord } from '../../../answers/place-word.js';
import type { Imported } from '../../../answers/symbol-places.js';
import { highWord, lowWord } from '../../../base/words.js';
import { hexText } from '../../symbol-printer.js';
import type { RecordedPlaces } from '../recorded-places.js';
import type { KallsymsTable } from '../report/kallsyms-table.js';

/** A function of a recording. Functions with the same name, module and place are one. */
export interface CalledFunction {
  /** `findItem`, `app.handle [express]`; the address if it has no name. */
  readonly name: string;
  /** `app.handle` and `express`; no module: the application, or the kernel. */
  readonly symbol: string;
  readonly module: string;
  /** Where it is defined; absent: that was not recorded. */
  readonly place: Place | undefined;
  /** `src/cart.ts:12`: the place as text, relative to the application's folder; '' if it is not known. */
  readonly where: string;
  /** Present if it is the code of a module outside of functions. */
  readonly imported?: Imported;
  /** Whether it is the application's own, as far as that is known. */
  readonly isOwn: boolean;
  /** The function's place among the recording's functions: visitors keep what they know of it in an array. */
  readonly index: number;
}

/** The functions of a recording by their addresses. */
export class CalledFunctions {
  readonly #symbols: KallsymsTable;
  /** By the symbols' indices: one more than the function's index; 0: not known yet. A map took a tenth of a profile's time. */
  readonly #bySymbol: Uint32Array;
  /** By their indices. */
  readonly #functions: CalledFunction[] = [];
  readonly #byName = new Map<string, number>();

  readonly #places: RecordedPlaces;
  readonly #isFentrys: boolean;

  /** @param isFentrys whether modules are packages; of a kernel, all is its own */
  constructor(symbols: KallsymsTable, places: RecordedPlaces, isFentrys: boolean) {
    this.#symbols = symbols;
    this.#bySymbol = new Uint32Array(symbols.count);
    this.#places = places;
    this.#isFentrys = isFentrys;
  }

  /** The folder of the application whose functions these are; '' if it was not recorded. */
  get application(): string {
    const files = this.#functions.map(({ isOwn, place }) => (isOwn ? (place?.file ?? '') : ''));
    return this.#places.application(files);
  }

  /** The function of the address in two words of a record. */
  at(words: Uint32Array, index: number): CalledFunction {
    return this.get(this.indexAt(words, index));
  }

  /** The index of the function of the address in two words of a record. */
  indexAt(words: Uint32Array, index: number): number {
    const high = words[index + 1]! | 0;
    const low = words[index]! | 0;
    const symbol = this.#symbols.indexOf(high, low);
    return symbol < 0 ? this.#named(`0x${hexText(high, low)}`, '') : this.#of(symbol);
  }

  /** The function of an index. */
  get(index: number): CalledFunction {
    return this.#functions[index]!;
  }

  /** The codes of modules that have no sites: there are no calls of them. */
  siteless(): readonly CalledFunction[] {
    const symbols = this.#places.siteless().map((address) => this.#symbols.indexOf(highWord(address) | 0, lowWord(address) | 0));
    return symbols.filter((symbol) => symbol >= 0).map((symbol) => this.get(this.#of(symbol)));
  }

  /** The index of a symbol's function. */
  #of(symbol: number): number {
    const known = this.#bySymbol[symbol]!;
    return known === 0 ? this.#meet(symbol) : known - 1;
  }

  #meet(symbol: number): number {
    const address = this.#symbols.addressOf(symbol);
    const [name, module] = [this.#symbols.nameOf(symbol), this.#symbols.moduleOf(symbol)];
    const index = this.#named(name, module, this.#places.at(address), this.#places.imported(address));
    this.#bySymbol[symbol] = index + 1;
    return index;
  }

  #named(symbol: string, module: string, place?: Place, imported?: Imported): number {
    const name = module === '' ? symbol : `${symbol} [${module}]`;
    const key = place === undefined ? name : `${name} ${placeWord(place)}`;
    const known = this.#byName.get(key);
    if (known !== undefined) return known;
    const isOwn = !this.#isFentrys || isOwnCode({ package: module, file: place?.file });
    const where = place === undefined ? '' : this.#places.text(place);
    const index = this.#functions.length;
    this.#functions.push({ name, symbol, module, place, where, ...(imported && { imported }), isOwn, index });
    this.#byName.set(key, index);
    return index;
  }
}
