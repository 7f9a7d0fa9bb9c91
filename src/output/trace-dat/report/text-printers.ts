import type { EventFormat } from '../../../events/define.js';
import type { TraceRecord } from '../../record.js';
import type { EventPrinter, PrinterTables } from './event-printer.js';
import { fieldWord } from './field.js';
import { putBytes, putText } from './put.js';
import { hexAddress, putAddress, putSymbol } from './put-symbol.js';

const COLON = Buffer.from(': ', 'latin1');
const NEWLINE = 10;
/** Behind the last frame of a stack. */
const NO_CALLER = 0xffffffff;

/** `print` (trace_marker): the function that wrote it, and the text. */
export class PrintPrinter implements EventPrinter {
  readonly #context: PrinterTables;
  readonly #ip: number;
  readonly #buf: number;

  constructor(format: EventFormat, context: PrinterTables) {
    this.#context = context;
    this.#ip = fieldWord(format, 'ip');
    this.#buf = fieldWord(format, 'buf') * 4;
  }

  put(out: Uint8Array, at: number, record: TraceRecord): number {
    const { bytes } = record;
    at = putSymbol(out, at, this.#context.symbols, record.words, record.at + this.#ip);
    at = putBytes(out, at, COLON);
    const end = record.at * 4 + record.size;
    for (let from = record.at * 4 + this.#buf; from < end && bytes[from] !== 0; from++) out[at++] = bytes[from]!;
    return at;
  }
}

/** `bputs` (trace_puts): the text stands outside of the ring buffer, in printk_formats. */
export class BputsPrinter implements EventPrinter {
  readonly #context: PrinterTables;
  readonly #ip: number;
  readonly #str: number;

  constructor(format: EventFormat, context: PrinterTables) {
    this.#context = context;
    this.#ip = fieldWord(format, 'ip');
    this.#str = fieldWord(format, 'str');
  }

  put(out: Uint8Array, at: number, record: TraceRecord): number {
    const { words } = record;
    const str = record.at + this.#str;
    at = putSymbol(out, at, this.#context.symbols, words, record.at + this.#ip);
    at = putBytes(out, at, COLON);
    const address = (BigInt(words[str + 1]!) << 32n) | BigInt(words[str]!);
    const text = this.#context.printkFormats.get(address.toString(16));
    return text === undefined ? putAddress(out, at, words[str + 1]!, words[str]!) : putText(out, at, text);
  }
}

/** `kernel_stack`: one line for each frame, below the event's line. */
export class StackPrinter implements EventPrinter {
  readonly #context: PrinterTables;
  readonly #caller: number;

  constructor(format: EventFormat, context: PrinterTables) {
    this.#context = context;
    this.#caller = fieldWord(format, 'caller');
  }

  put(out: Uint8Array, at: number, record: TraceRecord): number {
    const { words } = record;
    at = putText(out, at, '<stack trace >');
    const end = record.at + record.size / 4 - 1;
    for (let from = record.at + this.#caller; from < end && words[from] !== NO_CALLER; from += 2) {
      const symbol = this.#context.symbols.at(words, from);
      const address = hexAddress(words[from + 1]!, words[from]!);
      out[at++] = NEWLINE;
      at = putText(out, at, symbol === undefined ? `=> ${address}` : '=> ');
      if (symbol !== undefined) at = putText(out, putBytes(out, at, symbol.name), ` (${address})`);
    }
    return at;
  }
}
