import { addressOf } from '../../base/address.js';

const NEWLINE = 10;
const SPACE = 32;
const TAB = 9;

/** Told of a symbol: its address, its kind (the code of its letter), and where its name lies in the text. */
export type SymbolVisitor = (address: number, type: number, nameStart: number, nameEnd: number) => void;

/** Reads the lines of kallsyms: `address type name [module]`, with blanks between. A line of another form is left out. */
export function parseKallsyms(bytes: Buffer, visit: SymbolVisitor): void {
  for (let at = 0; at < bytes.length; ) {
    const end = lineEnd(bytes, at);
    let low = 0;
    let high = 0;
    let digits = 0;
    for (let digit: number; at < end && (digit = hexDigit(bytes[at]!)) >= 0; at++, digits++) {
      high = (high << 4) | (low >>> 28);
      low = (low << 4) | digit;
    }
    while (at < end && isBlank(bytes[at]!)) at++;
    const type = at < end ? bytes[at]! : 0;
    at++;
    while (at < end && isBlank(bytes[at]!)) at++;
    let stop = at;
    while (stop < end && !isBlank(bytes[stop]!)) stop++;
    if (digits > 0 && stop > at) visit(addressOf(high, low), type, at, stop);
    at = end + 1;
  }
}

/** The module of the symbol whose name lies at `nameAt`: what stands in brackets behind it; '' for none. */
export function moduleAt(bytes: Buffer, nameAt: number): string {
  return /\t\[(.*)\]\s*$/.exec(bytes.toString('utf8', nameAt, lineEnd(bytes, nameAt)))?.[1] ?? '';
}

function lineEnd(bytes: Buffer, at: number): number {
  const newline = bytes.indexOf(NEWLINE, at);
  return newline < 0 ? bytes.length : newline;
}

function isBlank(byte: number): boolean {
  return byte === SPACE || byte === TAB;
}

function hexDigit(byte: number): number {
  if (byte >= 48 && byte <= 57) return byte - 48;
  const letter = byte | 0x20;
  return letter >= 97 && letter <= 102 ? letter - 87 : -1;
}
