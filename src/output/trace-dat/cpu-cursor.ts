import { PageCursor } from '../../ring-buffer/decode.js';
import { COMMIT_MASK } from '../../ring-buffer/event-word.js';
import { type RecordCursor, RecordPlace } from '../record-cursor.js';
import type { CountedTimes } from './count-conversion.js';
import type { PageSource } from './page-source.js';

const HEADER_BYTES = 16;
const HIGH_WORD = 1;
const COMMIT_WORD = 2;

/** The bytes of sub-buffers, in the two forms that readers need. */
class Window {
  readonly bytes: Uint8Array;
  readonly words: Uint32Array;

  constructor(size: number) {
    this.bytes = new Uint8Array(size);
    this.words = new Uint32Array(this.bytes.buffer);
  }
}

/**
 * Walks the events of one CPU. After `advance()` the fields describe the current event. The bytes of an event stay valid until
 * the cursor has moved on by a whole window.
 */
export class CpuCursor extends RecordPlace implements RecordCursor {
  /** What was wrong with sub-buffers whose rest had to be left out. */
  damage: string | undefined;

  readonly #source: PageSource;
  readonly #subbufBytes: number;
  readonly #counted: CountedTimes | undefined;
  readonly #page = new PageCursor();
  #window: Window;
  #spare: Window;
  /** Bytes of the window that hold sub-buffers, and where the next one to open begins. */
  #filled = 0;
  #nextPage = 0;
  #pageMissed = 0;
  #isOver = false;

  /**
   * Reads `windowBytes` (whole sub-buffers) at a time and keeps two windows.
   * @param times what times count from, or how they become nanoseconds
   */
  constructor(cpu: number, source: PageSource, subbufBytes: number, windowBytes: number, times: number | CountedTimes) {
    super(cpu);
    this.#source = source;
    this.#subbufBytes = subbufBytes;
    const size = Math.max(windowBytes - (windowBytes % subbufBytes), subbufBytes);
    this.#window = new Window(size);
    this.#spare = new Window(size);
    if (typeof times === 'number') this.#page.origin = times;
    else this.#counted = times;
  }

  /** Moves to the next event; false when there is none. */
  advance(): boolean {
    const page = this.#page;
    for (;;) {
      if (page.next()) {
        if (page.position > page.end || page.length < HEADER_BYTES / 4) {
          this.#damaged('an event does not fit into its sub-buffer');
          continue;
        }
        this.ts = this.#counted === undefined ? page.ts : this.#counted.ns(page.ts);
        this.at = page.payload >> 2;
        this.size = page.length;
        this.lost = this.#pageMissed;
        this.#pageMissed = 0;
        return true;
      }
      if (!this.#open()) return false;
    }
  }

  #damaged(what: string): void {
    this.damage ??= what;
    this.#page.position = this.#page.end;
  }

  /** Opens the next sub-buffer. */
  #open(): boolean {
    if (this.#nextPage >= this.#filled && !this.#fill()) return false;
    const page = this.#page;
    const at = this.#nextPage;
    const { words } = this.#window;
    this.#nextPage = at + this.#subbufBytes;
    if (this.#counted !== undefined) page.origin = this.#counted.open(words[(at >> 2) + HIGH_WORD]!);
    page.open(words, at);
    const size = words[(at >> 2) + COMMIT_WORD]! & COMMIT_MASK;
    if (size > this.#subbufBytes - HEADER_BYTES) this.#damaged(`a sub-buffer claims ${size} bytes of data`);
    // If a sub-buffer has no events, its lost events are reported with the next one.
    if (page.missed !== 0) this.#pageMissed = page.missed < 0 || this.#pageMissed < 0 ? -1 : this.#pageMissed + page.missed;
    return true;
  }

  #fill(): boolean {
    if (this.#isOver) return false;
    const window = this.#spare;
    this.#spare = this.#window;
    this.#window = window;
    this.words = window.words;
    this.bytes = window.bytes;
    this.#nextPage = 0;
    this.#filled = this.#source.read(window.bytes);
    this.#filled -= this.#filled % this.#subbufBytes;
    this.#isOver = this.#filled === 0;
    return !this.#isOver;
  }
}
