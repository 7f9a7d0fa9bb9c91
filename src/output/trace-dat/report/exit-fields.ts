import type { EventFormat } from '../../../events/define.js';
import type { CpuCursor } from '../cpu-cursor.js';
import { fieldWord } from './field.js';

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
  duration(cursor: CpuCursor): number {
    const { words, word } = cursor;
    const [from, to] = [word + this.#calltime, word + this.#rettime];
    return ((words[to + 1]! - words[from + 1]!) | 0) * TWO_32 + ((words[to]! >>> 0) - (words[from]! >>> 0));
  }

  /** ns of the clock. */
  returnTime({ words, word }: CpuCursor): number {
    const at = word + this.#rettime;
    return (words[at + 1]! >>> 0) * TWO_32 + (words[at]! >>> 0);
  }
}
