import type { EventFormat } from '../events/define.js';
import { fieldWord, number64, type TraceRecord } from './record.js';

const TWO_32 = 2 ** 32;

/** The fields of funcgraph_exit. Throws an Error when the format lacks one. */
export class ExitFields {
  readonly id: number;
  readonly func: number;
  readonly depth: number;
  readonly #calltime: number;
  readonly #rettime: number;

  constructor(format: EventFormat) {
    this.id = format.id;
    this.func = fieldWord(format, 'func');
    this.depth = fieldWord(format, 'depth');
    this.#calltime = fieldWord(format, 'calltime');
    this.#rettime = fieldWord(format, 'rettime');
  }

  /** ns; exact, because the halves are subtracted before they become one number. */
  duration({ words, at }: TraceRecord): number {
    const [from, to] = [at + this.#calltime, at + this.#rettime];
    return ((words[to + 1]! - words[from + 1]!) | 0) * TWO_32 + (words[to]! - words[from]!);
  }

  /** ns of the clock. */
  returnTime({ words, at }: TraceRecord): number {
    return number64(words, at + this.#rettime);
  }
}
