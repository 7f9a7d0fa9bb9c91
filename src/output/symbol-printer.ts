import { addressOf, addressOfBits, hexAddress, hexWords } from '../base/address.js';
import type { Long } from '../events/c-types.js';
import type { RegisterParameters } from '../events/register-arguments.js';
import type { SymbolTable, TextSymbol } from '../ftrace/symbols.js';
import { type StoredText, storedText } from './stored-text.js';
import type { TraceSeq } from './trace-seq.js';

/** What is printed beside a symbol's name. */
export interface SymbolStyle {
  /** ` [module]` after the name. */
  readonly module: boolean;
  /** `+0x1b/0x40` after the name. */
  readonly offset: boolean;
  /** ` <ffffffff81000000>` at the end. */
  readonly address: boolean;
}

/** The style of `%ps`: in the graph, and in events that name a function. */
export const GRAPH_STYLE: SymbolStyle = { module: true, offset: false, address: false };

/** A symbol as it is printed. */
export interface PrintedSymbol {
  /** The symbol's name, and what its style puts beside it. */
  readonly name: StoredText;
  /** `src/cart.ts:12`: where it is defined; absent: that is not shown, or not known. */
  readonly place?: StoredText | undefined;
  /** Names of its parameters, if they are known. */
  readonly params?: readonly string[];
  /** Registers of the parameters, of a function of machine code. */
  readonly registers?: RegisterParameters | undefined;
  /** Equal for symbols of the same name; 1 or more. */
  readonly id: number;
}

/**
 * `src/cart.ts:12`: where the symbol of an address is defined, or of an address of a stack: where that is. Undefined: it is not
 * known.
 */
export type SymbolPlaceText = (symbol: TextSymbol, address: number) => string | undefined;

/** The texts of addresses in one style. */
export interface SymbolTexts {
  /** The symbol of the address in two words of a record. */
  at(words: Uint32Array, index: number): PrintedSymbol | undefined;
  /** What is printed of an address without a symbol; a table may put `lead` before its digits. */
  unknown(high: number, low: number, lead: string): string;
  /** What `%ps` shows of an address, and with its place in the function what `%pS` does. */
  text(address: Long, withOffset: boolean): string;
}

/** The hexadecimal digits of two words, without leading zeros. */
export const hexText = (high: number, low: number): string => hexWords(high, low).replace(/^0{1,15}/, '');

/** Prints the address in two words of a record. */
export function printSymbol(seq: TraceSeq, symbols: SymbolTexts, words: Uint32Array, index: number, lead = '0x'): void {
  const symbol = symbols.at(words, index);
  if (symbol === undefined) {
    seq.text(symbols.unknown(words[index + 1]!, words[index]!, lead));
    return;
  }
  seq.put(symbol.name);
  printPlace(seq, symbol);
}

const PLACE = storedText(' (');
const PLACE_END = storedText(')');

/** Prints where a symbol is defined, if that is shown: ` (src/cart.ts:12)`. */
export function printPlace(seq: TraceSeq, { place }: PrintedSymbol): void {
  if (place === undefined) return;
  seq.put(PLACE);
  seq.put(place);
  seq.put(PLACE_END);
}

/**
 * The text of one address. An address without a symbol is printed as a number; 0 is printed as `0` (seq_print_ip_sym).
 * @param digits its 16 hexadecimal digits, if they say more than the number, which is exact for texts only
 */
export function symbolText(symbols: SymbolTable, style: SymbolStyle, address: number, digits = hexAddress(address)): string {
  if (address === 0) return '0';
  const symbol = symbols.find(address);
  const behind = style.address ? ` <${digits}>` : '';
  if (symbol === undefined) return `0x${digits.replace(/^0{1,8}/, '')}${behind}`;
  const offset = style.offset ? `+0x${(address - symbol.address).toString(16)}/0x${symbol.size.toString(16)}` : '';
  const module = style.module && symbol.module !== '' ? ` [${symbol.module}]` : '';
  return `${symbol.name}${offset}${module}${behind}`;
}

/** Texts of a table's symbols as the kernel prints them; each address is looked up and encoded once. */
class TableSymbols implements SymbolTexts {
  readonly #symbols: SymbolTable;
  readonly #style: SymbolStyle;
  readonly #placeText: SymbolPlaceText | undefined;
  /** By low word: a map of doubles would be slower. */
  readonly #byHigh = new Map<number, Map<number, PrintedSymbol>>();
  #high = 0;
  #texts = new Map<number, PrintedSymbol>();
  #count = 0;

  constructor(symbols: SymbolTable, style: SymbolStyle, placeText: SymbolPlaceText | undefined) {
    this.#symbols = symbols;
    this.#style = style;
    this.#placeText = placeText;
    this.#byHigh.set(0, this.#texts);
  }

  at(words: Uint32Array, index: number): PrintedSymbol | undefined {
    const low = words[index]!;
    const high = words[index + 1]!;
    if (high !== this.#high) this.#switch(high);
    return this.#texts.get(low | 0) ?? this.#find(high, low);
  }

  unknown(high: number, low: number): string {
    return this.#textOf(high, low);
  }

  #textOf(high: number, low: number): string {
    return symbolText(this.#symbols, this.#style, addressOf(high, low), hexWords(high, low));
  }

  text(value: Long, withOffset: boolean): string {
    const digits = BigInt.asUintN(64, BigInt(value)).toString(16).padStart(16, '0');
    const address = addressOfBits(value);
    const text = symbolText(this.#symbols, { ...GRAPH_STYLE, offset: withOffset }, address, digits);
    const symbol = this.#placeText && this.#symbols.find(address);
    const place = symbol && this.#placeText?.(symbol, address);
    return place === undefined ? text : `${text} (${place})`;
  }

  /** An unknown address may get a symbol while the file is open. */
  #find(high: number, low: number): PrintedSymbol | undefined {
    const address = addressOf(high, low);
    const symbol = this.#symbols.find(address);
    if (symbol === undefined) return undefined;
    const place = this.#placeText?.(symbol, address);
    const printed = {
      name: storedText(this.#textOf(high, low)),
      place: place === undefined ? undefined : storedText(place),
      params: symbol.params,
      registers: registersOf(symbol),
      id: ++this.#count,
    };
    this.#texts.set(low | 0, printed);
    return printed;
  }

  #switch(high: number): void {
    this.#high = high;
    let texts = this.#byHigh.get(high);
    if (texts === undefined) {
      texts = new Map();
      this.#byHigh.set(high, texts);
    }
    this.#texts = texts;
  }
}

/**
 * What `trace` prints of a table's symbols.
 * @param placeText the place of an address, if that is to be shown
 */
export const tableSymbols =
  (symbols: SymbolTable, placeText?: SymbolPlaceText) =>
  (style: SymbolStyle): SymbolTexts =>
    new TableSymbols(symbols, style, placeText);

/** The parameters of a symbol of machine code, read when they are first printed. */
function registersOf({ registers, address }: TextSymbol): RegisterParameters | undefined {
  if (registers === undefined) return undefined;
  let known: { readonly answer: ReturnType<RegisterParameters> } | undefined;
  return () => (known ??= { answer: registers(address) }).answer;
}
