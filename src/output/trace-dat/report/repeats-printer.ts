import type { EventFormat } from '../../../events/define.js';
import type { TraceRecord } from '../../record.js';
import type { EventPrinter, PrinterTables } from './event-printer.js';
import { fieldWord } from './field.js';
import { putBytes, putText } from './put.js';
import { putSymbol } from './put-symbol.js';

const PARENT_ARROW = Buffer.from(' <-- ', 'latin1');
const CLOSE = 41;

/** `func_repeats`: how often a call was repeated, and when the last time was. */
export class RepeatsPrinter implements EventPrinter {
  readonly #context: PrinterTables;
  readonly #ip: number;
  readonly #parentIp: number;
  readonly #count: number;
  readonly #bottom: number;

  constructor(format: EventFormat, context: PrinterTables) {
    this.#context = context;
    this.#ip = fieldWord(format, 'ip');
    this.#parentIp = fieldWord(format, 'parent_ip');
    this.#count = fieldWord(format, 'count');
    this.#bottom = fieldWord(format, 'bottom_delta_ts');
  }

  put(out: Uint8Array, at: number, { words, at: word, ts }: TraceRecord): number {
    const { symbols } = this.#context;
    at = putSymbol(out, at, symbols, words, word + this.#ip);
    if (this.#context.options.parent ?? false) {
      at = putSymbol(out, putBytes(out, at, PARENT_ARROW), symbols, words, word + this.#parentIp);
    }
    // top_delta_ts shares a word with count, and the two of them fill it.
    const count = words[word + this.#count]!;
    const delta = (count >>> 16) * 2 ** 32 + words[word + this.#bottom]!;
    at = putText(out, at, ` (count: ${count & 0xffff}  last_ts:`);
    at = this.#context.time.put(out, at, ts - delta);
    out[at] = CLOSE;
    return at + 1;
  }
}
