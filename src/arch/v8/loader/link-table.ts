import { TEXT_LOW } from '../text-region.js';
import type { ContentKey } from './content-key.js';

/** Function numbers and addresses that one text has in every thread of the process. */
export interface TextRange {
  /** Number of its first function. */
  readonly firstFunction: number;
  /** The address (text-region.ts) of its first UTF-16 unit. */
  readonly base: number;
}

const HEADER_WORDS = 4;
const NEXT_FUNCTION = 0;
const NEXT_BASE = 1;

const SLOT_WORDS = 8;
const STATE = 0;
const KEY = 1;
const FIRST = 5;
const BASE = 6;
const FREE = 0;
const CLAIMED = 1;
const PUBLISHED = 2;

const SLOTS = 1 << 14;
const PROBES = 64;
const SPINS = 1000;
const ALIGNMENT = 16;

/**
 * The process's one table of linked texts, in shared memory, so that a worker that loads a text which another thread has loaded
 * gives its functions the same numbers and addresses. No locks: a thread may be terminated anywhere in here, and the worst
 * result is a text that is linked twice.
 */
export class LinkTable {
  readonly #words: Int32Array;

  /** The memory of a new table, to be handed to every thread. The system gives it pages as they are first written. */
  static create(): SharedArrayBuffer {
    return new SharedArrayBuffer((HEADER_WORDS + SLOTS * SLOT_WORDS) * 4);
  }

  constructor(memory: SharedArrayBuffer) {
    this.#words = new Int32Array(memory);
  }

  /** How many function numbers have been given out. */
  get functions(): number {
    return Atomics.load(this.#words, NEXT_FUNCTION);
  }

  /** The range of the text with this key (content and file together), allocated now if this thread is the first to ask. */
  claim(key: ContentKey, functionCount: number, length: number): TextRange {
    const words = this.#words;
    for (let probe = 0; probe < PROBES; probe++) {
      const slot = HEADER_WORDS + (((key[0] + probe) >>> 0) % SLOTS) * SLOT_WORDS;
      if (Atomics.compareExchange(words, slot + STATE, FREE, CLAIMED) === FREE) {
        const range = this.#take(functionCount, length);
        for (let i = 0; i < 4; i++) words[slot + KEY + i] = key[i] as number;
        words[slot + FIRST] = range.firstFunction;
        words[slot + BASE] = range.base;
        Atomics.store(words, slot + STATE, PUBLISHED);
        return range;
      }
      let spins = 0;
      while (Atomics.load(words, slot + STATE) !== PUBLISHED && spins < SPINS) spins++;
      if (spins < SPINS && this.#matches(slot, key)) {
        return { firstFunction: words[slot + FIRST] as number, base: (words[slot + BASE] as number) >>> 0 };
      }
    }
    return this.#take(functionCount, length);
  }

  /** Numbers for functions that are in no text of JavaScript: the first of them. */
  claimNumbers(count: number): number {
    return Atomics.add(this.#words, NEXT_FUNCTION, count);
  }

  #matches(slot: number, key: ContentKey): boolean {
    for (let i = 0; i < 4; i++) if ((this.#words[slot + KEY + i] as number) >>> 0 !== key[i]) return false;
    return true;
  }

  #take(functionCount: number, length: number): TextRange {
    const size = Math.ceil((length + 1) / ALIGNMENT) * ALIGNMENT;
    return {
      firstFunction: Atomics.add(this.#words, NEXT_FUNCTION, functionCount),
      base: (TEXT_LOW + Atomics.add(this.#words, NEXT_BASE, size)) >>> 0,
    };
  }
}
