import {
  COMMIT_WORD,
  DELTA_LIMIT,
  MAX_SMALL_WORDS,
  MISSED_EVENTS,
  MISSED_STORED,
  PAGE_HEADER_WORDS,
  TIME_EXTEND,
  TYPE_LEN_BITS,
} from './event-word.js';

/** An event to copy, as `RingBufferReader.peek()` describes it. */
export interface CopiedEvent {
  readonly bytes: Uint8Array;
  /** Byte offset of the payload, and its length, a multiple of 4. */
  readonly payload: number;
  readonly length: number;
  readonly ts: number;
  /** Events lost right before it. */
  readonly lost: number;
}

/** Builds a sub-buffer from single events, like one of `RingBufferReader.readPage()`. */
export class PageBuilder {
  /** Events so far. */
  count = 0;
  readonly #view: DataView;
  readonly #bytes: Uint8Array;
  #position = PAGE_HEADER_WORDS << 2;
  #lost = 0;
  #first = 0;
  #last = 0;

  /** @param into the sub-buffer; all of it is written */
  constructor(into: Uint8Array) {
    this.#bytes = into;
    this.#view = new DataView(into.buffer, into.byteOffset, into.length);
  }

  /**
   * Appends an event.
   * @returns false when it must begin another sub-buffer: it does not fit, events were lost before it, or it is older
   */
  add({ bytes, payload, length, ts, lost }: CopiedEvent): boolean {
    if (this.count === 0) {
      this.#first = this.#last = ts;
      this.#lost = lost;
    } else if (lost > 0 || ts < this.#last) return false;
    const delta = ts - this.#last;
    const isSmall = length > 0 && length >> 2 <= MAX_SMALL_WORDS;
    const needed = (delta < DELTA_LIMIT ? 0 : 8) + (isSmall ? 4 : 8) + length;
    // The number of lost events must fit after the events; only the largest event leaves no space.
    const kept = this.#lost > 0 && this.count > 0 ? 8 : 0;
    if (this.#position + needed + kept > this.#bytes.length) return false;
    const rest = delta % DELTA_LIMIT;
    if (delta >= DELTA_LIMIT) {
      this.#word((rest << TYPE_LEN_BITS) | TIME_EXTEND);
      this.#word(Math.floor(delta / DELTA_LIMIT));
    }
    const head = delta < DELTA_LIMIT ? rest << TYPE_LEN_BITS : 0;
    this.#word(isSmall ? head | (length >> 2) : head);
    if (!isSmall) this.#word(length + 4);
    this.#bytes.set(bytes.subarray(payload, payload + length), this.#position);
    this.#position += length;
    this.#last = ts;
    this.count++;
    return true;
  }

  /** Writes the header, and the number of lost events if there is room. */
  finish(): void {
    const view = this.#view;
    let commit = this.#position - (PAGE_HEADER_WORDS << 2);
    if (this.#lost > 0) {
      commit += MISSED_EVENTS;
      if (this.#bytes.length - this.#position >= 8) {
        commit += MISSED_STORED;
        view.setBigUint64(this.#position, BigInt(this.#lost), true);
        this.#position += 8;
      }
    }
    this.#bytes.fill(0, this.#position);
    view.setUint32(0, this.#first >>> 0, true);
    view.setUint32(4, Math.floor(this.#first / 2 ** 32), true);
    view.setUint32(COMMIT_WORD << 2, commit, true);
    // The kernel's flag is an int: its sign goes on into the upper half.
    view.setUint32((COMMIT_WORD + 1) << 2, this.#lost > 0 ? 0xffffffff : 0, true);
  }

  #word(word: number): void {
    this.#view.setUint32(this.#position, word >>> 0, true);
    this.#position += 4;
  }
}
