import { type RecordCursor, RecordPlace } from '../record-cursor.js';
import type { CpuCursor } from './cpu-cursor.js';

/** The events of one CPU of a file, for the printers of `trace`. */
export class DatRecords extends RecordPlace implements RecordCursor {
  readonly #cursor: CpuCursor;

  /** The cursor's origin must be 0. */
  constructor(cursor: CpuCursor) {
    super(cursor.cpu);
    this.#cursor = cursor;
  }

  advance(): boolean {
    const cursor = this.#cursor;
    if (!cursor.next()) return false;
    this.words = cursor.unsignedWords;
    this.bytes = cursor.bytes;
    this.at = cursor.word;
    this.size = cursor.size;
    this.ts = cursor.time;
    this.lost = cursor.missed;
    return true;
  }
}
