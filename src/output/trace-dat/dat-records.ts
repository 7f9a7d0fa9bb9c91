import type { RecordCursor } from '../record-cursor.js';
import type { CpuCursor } from './cpu-cursor.js';

/** The events of one CPU of a file, for the printers of `trace`. */
export class DatRecords implements RecordCursor {
  words: Uint32Array = new Uint32Array(0);
  bytes: Uint8Array = new Uint8Array(0);
  at = 0;
  size = 0;
  ts = 0;
  lost = 0;
  readonly #cursor: CpuCursor;

  /** The cursor's origin must be 0. */
  constructor(cursor: CpuCursor) {
    this.#cursor = cursor;
  }

  get cpu(): number {
    return this.#cursor.cpu;
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
