import type { EventFormat } from '../../../events/define.js';
import type { CpuCursor } from '../cpu-cursor.js';
import type { EventPrinter, PrinterContext } from './event-printer.js';
import { fieldWord } from './field.js';
import { putBytes, putText } from './put.js';
import { putSymbol } from './put-symbol.js';

const PARENT_ARROW = Buffer.from(' <-- ', 'latin1');
const CLOSE = 41;

/** `func_repeats`: how often a call was repeated, and when the last time was. */
export class RepeatsPrinter implements EventPrinter {
  readonly #context: PrinterContext;
  readonly #ip: number;
  readonly #parentIp: number;
  readonly #count: number;
  readonly #bottom: number;

  constructor(format: EventFormat, context: PrinterContext) {
    this.#context = context;
    this.#ip = fieldWord(format, 'ip');
    this.#parentIp = fieldWord(format, 'parent_ip');
    this.#count = fieldWord(format, 'count');
    this.#bottom = fieldWord(format, 'bottom_delta_ts');
  }

  put(out: Uint8Array, at: number, { words, word, time }: CpuCursor): number {
    at = this.#putFunction(out, at, words, word + this.#ip);
    if (this.#context.options.parent ?? false) {
      at = this.#putFunction(out, putBytes(out, at, PARENT_ARROW), words, word + this.#parentIp);
    }
    // top_delta_ts shares a word with count, and the two of them fill it.
    const count = words[word + this.#count]!;
    const delta = (count >>> 16) * 2 ** 32 + (words[word + this.#bottom]! >>> 0);
    at = putText(out, at, ` (count: ${count & 0xffff}  last_ts:`);
    at = this.#context.time.put(out, at, time - delta);
    out[at] = CLOSE;
    return at + 1;
  }

  #putFunction(out: Uint8Array, at: number, words: ArrayLike<number>, ip: number): number {
    const [low, high] = [words[ip]!, words[ip + 1]!];
    return putSymbol(out, at, this.#context.symbols.find(high, low), high, low);
  }
}
