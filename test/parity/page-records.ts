import { type RecordCursor, RecordPlace } from '../../src/output/record-cursor.js';
import { PageCursor } from '../../src/ring-buffer/index.js';

/** The records of pages as the kernel gave them: {u64 timestamp, u64 commit, data}, aligned to words. */
export class PageRecords extends RecordPlace implements RecordCursor {
  readonly #pages: Iterator<Uint8Array>;
  readonly #cursor = new PageCursor();
  #isOpen = false;

  constructor(cpu: number, pages: Iterable<Uint8Array>) {
    super(cpu);
    this.#pages = pages[Symbol.iterator]();
  }

  advance(): boolean {
    this.lost = 0;
    while (!this.#isOpen || !this.#cursor.next()) {
      const { value: page, done } = this.#pages.next();
      if (done) return false;
      this.#isOpen = true;
      this.bytes = page.byteOffset % 4 === 0 ? page : page.slice();
      this.words = new Uint32Array(this.bytes.buffer, this.bytes.byteOffset, this.bytes.length >>> 2);
      this.#cursor.open(this.words, 0);
      this.lost = this.#cursor.missed;
    }
    this.at = this.#cursor.payload >>> 2;
    this.size = this.#cursor.length;
    this.ts = this.#cursor.ts;
    return true;
  }
}
