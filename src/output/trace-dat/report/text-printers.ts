import type { EventFormat } from '../../../events/define.js';
import type { CpuCursor } from '../cpu-cursor.js';
import type { EventPrinter, PrinterContext } from './event-printer.js';
import { fieldWord } from './field.js';
import { putBytes, putText } from './put.js';
import { putAddress, putSymbol } from './put-symbol.js';

const COLON = Buffer.from(': ', 'latin1');
const NEWLINE = 10;

/** `print` (trace_marker): the function that wrote it, and the text. */
export class PrintPrinter implements EventPrinter {
  readonly #context: PrinterContext;
  readonly #ip: number;
  readonly #buf: number;

  constructor(format: EventFormat, context: PrinterContext) {
    this.#context = context;
    this.#ip = fieldWord(format, 'ip');
    this.#buf = fieldWord(format, 'buf') * 4;
  }

  put(out: Uint8Array, at: number, cursor: CpuCursor): number {
    const { words, bytes } = cursor;
    const ip = cursor.word + this.#ip;
    at = putSymbol(out, at, this.#context.symbols.find(words[ip + 1]!, words[ip]!), words[ip + 1]!, words[ip]!);
    at = putBytes(out, at, COLON);
    const end = cursor.at + cursor.size;
    for (let from = cursor.at + this.#buf; from < end && bytes[from] !== 0; from++) out[at++] = bytes[from]!;
    return at;
  }
}

/** `bputs` (trace_puts): the text stands outside of the ring buffer, in printk_formats. */
export class BputsPrinter implements EventPrinter {
  readonly #context: PrinterContext;
  readonly #ip: number;
  readonly #str: number;

  constructor(format: EventFormat, context: PrinterContext) {
    this.#context = context;
    this.#ip = fieldWord(format, 'ip');
    this.#str = fieldWord(format, 'str');
  }

  put(out: Uint8Array, at: number, cursor: CpuCursor): number {
    const { words } = cursor;
    const ip = cursor.word + this.#ip;
    const str = cursor.word + this.#str;
    at = putSymbol(out, at, this.#context.symbols.find(words[ip + 1]!, words[ip]!), words[ip + 1]!, words[ip]!);
    at = putBytes(out, at, COLON);
    const address = (BigInt(words[str + 1]! >>> 0) << 32n) | BigInt(words[str]! >>> 0);
    const text = this.#context.printkFormats.get(address.toString(16));
    return text === undefined ? putAddress(out, at, words[str + 1]!, words[str]!) : putText(out, at, text);
  }
}

/** `kernel_stack`: one line for each frame, below the event's line. */
export class StackPrinter implements EventPrinter {
  readonly #context: PrinterContext;
  readonly #caller: number;

  constructor(format: EventFormat, context: PrinterContext) {
    this.#context = context;
    this.#caller = fieldWord(format, 'caller');
  }

  put(out: Uint8Array, at: number, cursor: CpuCursor): number {
    const { words } = cursor;
    at = putText(out, at, '<stack trace >');
    const end = cursor.word + cursor.size / 4 - 1;
    for (let from = cursor.word + this.#caller; from < end && words[from] !== -1; from += 2) {
      const [low, high] = [words[from]!, words[from + 1]!];
      const symbol = this.#context.symbols.find(high, low);
      const address = ((BigInt(high >>> 0) << 32n) | BigInt(low >>> 0)).toString(16);
      out[at++] = NEWLINE;
      at = putText(out, at, symbol === undefined ? `=> ${address}` : '=> ');
      if (symbol !== undefined) at = putText(out, putBytes(out, at, symbol.name), ` (${address})`);
    }
    return at;
  }
}
