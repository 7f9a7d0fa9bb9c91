import { addressOf, addressOfBits, hexAddress, hexWords } from '../base/address.js';
import type { SymbolTable } from '../core/symbols.js';
import type { PrintDialect } from '../events/print/values.js';
import { bytesOf, type TraceSeq } from './trace-seq.js';

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

/** How the kernel prints: `%ps` as GRAPH_STYLE, `%pS` with the offset, arrays as `{0x1,0x2}`. */
export const kernelDialect = (symbols: SymbolTable): PrintDialect => ({
  symbol(value, withOffset) {
    const digits = BigInt.asUintN(64, BigInt(value)).toString(16).padStart(16, '0');
    return symbolText(symbols, { ...GRAPH_STYLE, offset: withOffset }, addressOfBits(value), digits);
  },
  array: (elements) => `{${elements.map((element) => `0x${element.toString(16)}`)}}`,
});

/** Prints addresses of records in one style; each address is looked up and encoded once. */
export class SymbolPrinter {
  readonly #symbols: SymbolTable;
  readonly #style: SymbolStyle;
  /** By low word: a map of doubles would be slower. */
  readonly #byHigh = new Map<number, Map<number, Uint8Array>>();
  #high = 0;
  #texts = new Map<number, Uint8Array>();

  constructor(symbols: SymbolTable, style: SymbolStyle) {
    this.#symbols = symbols;
    this.#style = style;
    this.#byHigh.set(0, this.#texts);
  }

  /** Prints the address in two words of a record. */
  print(seq: TraceSeq, words: Uint32Array, at: number): void {
    const low = words[at]!;
    const high = words[at + 1]!;
    if (high !== this.#high) this.#switch(high);
    const known = this.#texts.get(low | 0);
    seq.put(known ?? this.#encode(high, low));
  }

  #encode(high: number, low: number): Uint8Array {
    const address = addressOf(high, low);
    const bytes = bytesOf(symbolText(this.#symbols, this.#style, address, hexWords(high, low)));
    // An unknown address may get a symbol while the file is open.
    if (this.#symbols.find(address) !== undefined) this.#texts.set(low | 0, bytes);
    return bytes;
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
