import type { Place } from '../../../answers/place.js';
import { addressAt, addressOf, compareAddresses } from '../../../base/address.js';
import type { Long } from '../../../events/c-types.js';
import { type StoredText, storedText } from '../../stored-text.js';
import { hexText, type PrintedSymbol, type SymbolTexts } from '../../symbol-printer.js';
import { originalName } from '../kallsyms-lines.js';
import { moduleAt, parseKallsyms } from '../parse-kallsyms.js';
import type { RecordedPlaces } from '../recorded-places.js';

const DOLLAR = 36;
/** The kind of absolute symbols, `A` or `a`, in lower case. */
const ABSOLUTE = 97;
/** Words of a cached address. */
const SLOT_WORDS = 4;
/** Longer names are cut, to limit the length of a line. */
const MAX_NAME_BYTES = 1024;

/** How many symbols before a part of a function its beginning is looked for. */
const FARTHEST_WHOLE = 10_000;

/** The printed form of a symbol; created when first needed. */
export interface ReportSymbol {
  /** Equal for symbols with the same name. */
  readonly id: number;
  /** The symbol's place among the symbols that were found, from 0. */
  readonly serial: number;
  readonly text: string;
  readonly name: StoredText;
  /** Where it begins. */
  readonly address: number;
  /** The symbol's place among all symbols, by address. */
  readonly index: number;
  /** The module it belongs to; empty for none. */
  readonly module: string;
}

/**
 * Finds the symbol that an address belongs to: the last one that begins at or before it. Like trace-cmd it
 * leaves out absolute symbols and names that begin with `$`, and lets the last symbol cover its first address only.
 */
export class KallsymsTable {
  readonly #bytes: Buffer;
  /** In unsigned order. */
  #addresses = new Float64Array(0);
  #nameAt = new Uint32Array(0);
  #nameLength = new Uint16Array(0);
  /** By the symbols' indices, with room for all: an array that grows by indices in no order becomes a hash table. */
  readonly #symbols: (ReportSymbol | undefined)[];
  readonly #ids = new Map<string, number>();
  #found = 0;
  readonly #restore: boolean;
  /** A cache of addresses, by open addressing: high word, low word, index + 2 (0: empty), and one that is not used. */
  #mask = 1023;
  #cache = new Int32Array(1024 * SLOT_WORDS);
  #cached = 0;

  /** `restoreNames` reverses the change of fentry's writer to names that trace-cmd would drop. */
  constructor(kallsyms: Buffer, restoreNames: boolean) {
    this.#bytes = kallsyms;
    this.#restore = restoreNames;
    this.#parse();
    this.#symbols = new Array<ReportSymbol | undefined>(this.count);
  }

  /** How many symbols there are. */
  get count(): number {
    return this.#addresses.length;
  }

  /** The symbol of the address in two words of a record. */
  at(words: Uint32Array, index: number): ReportSymbol | undefined {
    return this.find(words[index + 1]! | 0, words[index]! | 0);
  }

  /** The symbol of an address given in signed halves. */
  find(high: number, low: number): ReportSymbol | undefined {
    const index = this.indexOf(high, low);
    return index < 0 ? undefined : (this.#symbols[index] ??= this.#symbol(index));
  }

  /** The symbol's place among all symbols, for an address given in signed halves; -1: no symbol has it. */
  indexOf(high: number, low: number): number {
    const mask = this.#mask;
    const cache = this.#cache;
    for (let slot = hash(high, low) & mask; ; slot = (slot + 1) & mask) {
      const at = slot * SLOT_WORDS;
      const index = cache[at + 2]!;
      if (index === 0) break;
      if (cache[at + 1] === low && cache[at] === high) return index - 2;
    }
    const index = this.#search(addressOf(high, low));
    this.#remember(high, low, index);
    return index;
  }

  #remember(high: number, low: number, index: number): void {
    if (this.#cached * 2 > this.#mask) this.#grow();
    this.#cached++;
    const cache = this.#cache;
    let slot = hash(high, low) & this.#mask;
    while (cache[slot * SLOT_WORDS + 2] !== 0) slot = (slot + 1) & this.#mask;
    const at = slot * SLOT_WORDS;
    cache[at] = high;
    cache[at + 1] = low;
    cache[at + 2] = index + 2;
  }

  #grow(): void {
    const old = this.#cache;
    const size = (this.#mask + 1) * 4;
    this.#mask = size - 1;
    this.#cache = new Int32Array(size * SLOT_WORDS);
    this.#cached = 0;
    for (let at = 0; at < old.length; at += SLOT_WORDS) {
      if (old[at + 2] !== 0) this.#remember(old[at]!, old[at + 1]!, old[at + 2]! - 2);
    }
  }

  #symbol(index: number): ReportSymbol {
    const name = this.nameOf(index);
    let id = this.#ids.get(name);
    if (id === undefined) {
      id = this.#ids.size + 1;
      this.#ids.set(name, id);
    }
    const [address, module] = [this.addressOf(index), this.moduleOf(index)];
    return { id, serial: this.#found++, text: name, name: storedText(name), address, index, module };
  }

  /** The name of the symbol at a place among all. */
  nameOf(index: number): string {
    const text = this.#nameInFile(index);
    return this.#restore ? originalName(text) : text;
  }

  /** Where it begins. */
  addressOf(index: number): number {
    return this.#addresses[index]!;
  }

  /** The module it belongs to; empty for none. */
  moduleOf(index: number): string {
    return moduleAt(this.#bytes, this.#nameAt[index]!);
  }

  #nameInFile(index: number): string {
    const at = this.#nameAt[index]!;
    return this.#bytes.toString('utf8', at, at + this.#nameLength[index]!);
  }

  /**
   * Where a symbol is defined: kallsyms lists a function again behind each inner one, and places are known of its beginning.
   */
  placeOf({ index, module }: ReportSymbol, places: RecordedPlaces): Place | undefined {
    const name = this.#nameInFile(index);
    for (let i = index; i >= Math.max(0, index - FARTHEST_WHOLE); i--) {
      const place = places.at(this.#addresses[i]!);
      if (i === index && place !== undefined) return place;
      if (place !== undefined && this.#nameInFile(i) === name && this.moduleOf(i) === module) return place;
    }
    return undefined;
  }

  /** The halving of bsearch(3): where several symbols share an address it decides which one is shown. */
  #search(address: number): number {
    const addresses = this.#addresses;
    const last = addresses.length - 1;
    let low = 0;
    let high = addresses.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const start = addresses[middle]!;
      if (start === address) return middle;
      if (compareAddresses(address, start) < 0) high = middle;
      else if (middle < last && compareAddresses(address, addresses[middle + 1]!) < 0) return middle;
      else low = middle + 1;
    }
    return -1;
  }

  #parse(): void {
    const bytes = this.#bytes;
    const addresses: number[] = [];
    const places: number[] = [];
    const lengths: number[] = [];
    parseKallsyms(bytes, (address, type, start, end) => {
      if ((type | 0x20) === ABSOLUTE || bytes[start] === DOLLAR) return;
      addresses.push(address);
      places.push(start);
      lengths.push(Math.min(end - start, MAX_NAME_BYTES));
    });
    this.#sort(addresses, places, lengths);
  }

  /** By address; of equal ones the later line comes first. */
  #sort(addresses: readonly number[], places: readonly number[], lengths: readonly number[]): void {
    const count = addresses.length;
    const order = Uint32Array.from({ length: count }, (_, i) => i);
    if (!addresses.every((address, i) => i === 0 || compareAddresses(addresses[i - 1]!, address) < 0)) {
      order.sort((a, b) => {
        return compareAddresses(addresses[a]!, addresses[b]!) || b - a;
      });
    }
    this.#addresses = Float64Array.from(order, (i) => addresses[i]!);
    this.#nameAt = Uint32Array.from(order, (i) => places[i]!);
    this.#nameLength = Uint16Array.from(order, (i) => lengths[i]!);
  }
}

const hash = (high: number, low: number): number => low ^ (low >>> 9) ^ Math.imul(high, 31);

/** The names of a recording's symbols, as `trace-cmd report` prints them: without module, in one style. */
export class RecordedSymbols implements SymbolTexts {
  readonly #table: KallsymsTable;
  readonly #places: RecordedPlaces | undefined;
  /** By the symbols' serials. */
  readonly #placed: PrintedSymbol[] = [];

  /** @param places where symbols are defined, if that is to be shown */
  constructor(table: KallsymsTable, places?: RecordedPlaces) {
    this.#table = table;
    this.#places = places;
  }

  at(words: Uint32Array, index: number): PrintedSymbol | undefined {
    const symbol = this.#table.at(words, index);
    return this.#places === undefined || symbol === undefined
      ? symbol
      : (this.#placed[symbol.serial] ??= this.#withPlace(symbol));
  }

  #withPlace(symbol: ReportSymbol): PrintedSymbol {
    const text = this.placeText(symbol, symbol.address);
    return { ...symbol, place: text === undefined ? undefined : storedText(text) };
  }

  protected placeText(symbol: ReportSymbol, _address: number): string | undefined {
    const place = this.#places && this.#table.placeOf(symbol, this.#places);
    return place && this.#places?.text(place);
  }

  unknown(high: number, low: number, lead: string): string {
    return lead + hexText(high, low);
  }

  text(address: Long, withOffset: boolean): string {
    const bits = BigInt.asIntN(64, BigInt(address));
    const symbol = this.#table.find(Number(bits >> 32n), Number(BigInt.asIntN(32, bits)));
    if (symbol === undefined) return `0x${BigInt.asUintN(64, bits).toString(16)}`;
    const text = withOffset ? `${symbol.text}+0x${(Number(bits) - symbol.address).toString(16)}` : symbol.text;
    const place = this.placeText(symbol, Number(bits));
    return place === undefined ? text : `${text} (${place})`;
  }
}

/** The frames of a recording's stacks: with where each stands, or if that is not known where its function is defined. */
export class RecordedFrames extends RecordedSymbols {
  readonly #recorded: RecordedPlaces;
  /** By the frames' addresses. */
  readonly #frames = new Map<number, PrintedSymbol>();

  constructor(table: KallsymsTable, places: RecordedPlaces) {
    super(table, places);
    this.#recorded = places;
  }

  override at(words: Uint32Array, index: number): PrintedSymbol | undefined {
    const address = addressAt(words, index);
    const known = this.#frames.get(address);
    if (known !== undefined) return known;
    const place = this.#recorded.inStack(address);
    const symbol = super.at(words, index);
    if (symbol === undefined || place === undefined) return symbol;
    const frame = { ...symbol, place: storedText(this.#recorded.text(place)) };
    this.#frames.set(address, frame);
    return frame;
  }

  protected override placeText(symbol: ReportSymbol, address: number): string | undefined {
    const place = this.#recorded.inStack(address);
    return place === undefined ? super.placeText(symbol, address) : this.#recorded.text(place);
  }
}
