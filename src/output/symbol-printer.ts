import { hexAddress, type SymbolTable } from '../core/symbols.js';
import type { TextSymbol } from '../core/text-symbol.js';
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

const offsetText = (symbol: TextSymbol, low: number): string =>
  `+0x${(low - symbol.low).toString(16)}/0x${symbol.size.toString(16)}`;

/** The text of one address. An address without a symbol is printed as a number; 0 is printed as `0` (seq_print_ip_sym). */
export function symbolText(symbols: SymbolTable, style: SymbolStyle, high: number, low: number): string {
  if (high === 0 && low === 0) return '0';
  const symbol = symbols.find(high, low);
  const address = style.address ? ` <${hexAddress(high, low)}>` : '';
  if (symbol === undefined) return `0x${hexAddress(high, low).replace(/^0{1,8}/, '')}${address}`;
  const offset = style.offset ? offsetText(symbol, low >>> 0) : '';
  const module = style.module && symbol.module !== '' ? ` [${symbol.module}]` : '';
  return `${symbol.name}${offset}${module}${address}`;
}

/** How the kernel prints: `%ps` as GRAPH_STYLE, `%pS` with the offset, arrays as `{0x1,0x2}`. */
export const kernelDialect = (symbols: SymbolTable): PrintDialect => ({
  symbol(address, withOffset) {
    const bits = BigInt.asUintN(64, BigInt(address));
    return symbolText(symbols, { ...GRAPH_STYLE, offset: withOffset }, Number(bits >> 32n), Number(bits & 0xffffffffn));
  },
  array: (elements) => `{${elements.map((element) => `0x${element.toString(16)}`)}}`,
});

/** Prints addresses in one style; each address is looked up and encoded once. */
export class SymbolPrinter {
  readonly #symbols: SymbolTable;
  readonly #style: SymbolStyle;
  readonly #byHigh = new Map<number, Map<number, Uint8Array>>();
  #high = 0;
  #texts = new Map<number, Uint8Array>();

  constructor(symbols: SymbolTable, style: SymbolStyle) {
    this.#symbols = symbols;
    this.#style = style;
    this.#byHigh.set(0, this.#texts);
  }

  print(seq: TraceSeq, high: number, low: number): void {
    if (high !== this.#high) this.#switch(high);
    const known = this.#texts.get(low | 0);
    seq.put(known ?? this.#encode(high, low));
  }

  #encode(high: number, low: number): Uint8Array {
    const bytes = bytesOf(symbolText(this.#symbols, this.#style, high, low));
    // An unknown address may get a symbol while the file is open.
    if (this.#symbols.find(high, low) !== undefined) this.#texts.set(low | 0, bytes);
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
