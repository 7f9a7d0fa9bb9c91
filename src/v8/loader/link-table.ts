import { TEXT_LOW } from '../text-region.js';
import type { ContentKey } from './content-key.js';

/** Function numbers and addresses that one text has in every thread of the process. */
export interface LinkedRange {
  /** Number of its first function. */
  readonly firstFunction: number;
  /** The address (text-region.ts) of its first UTF-16 unit. */
  readonly base: number;
}

const HEADER_WORDS = 4;
const NEXT_FUNCTION = 0;
const NEXT_BASE = 1;
/** The id of the prepared pack whose texts have the first numbers; 0 for none. */
const PREPARED = 2;
/** How many texts are being instrumented. A thread that is ended meanwhile leaves its own in it. */
const BEING_MADE = 3;

const SLOT_WORDS = 8;
const STATE = 0;
const KEY = 1;
const FIRST = 5;
const BASE = 6;
const FREE = 0;
const CLAIMED = 1;
const PUBLISHED = 2;

/**
 * Slots from `first` on, and how many a key may try there before it goes to the next tier. The first tier is 4 pages: in one
 * table of all, each text of a small program would be the first to touch a page (`perf stat -e page-faults`: a hundred fewer for
 * Express).
 */
const TIERS = [
  { first: 0, slots: 1 << 9, probes: 8 },
  { first: 1 << 9, slots: 1 << 14, probes: 64 },
] as const;
const SLOTS = TIERS[0].slots + TIERS[1].slots;
const SPINS = 1000;
const ALIGNMENT = 16;

/**
 * The process's one table of linked texts, in shared memory, so that a worker that loads a text which another thread has loaded
 * gives its functions the same numbers and addresses. No locks: a thread may be terminated anywhere in here, and the worst
 * result is a text that is linked twice.
 */
export class LinkTable {
  readonly #words: Int32Array;

  /**
   * The memory of a new table, to be handed to every thread. The system gives it pages as they are first written.
   * @param prepared the pack whose texts get the numbers that they have in it: no others get one of them
   */
  static create(prepared?: { readonly id: number; readonly functions: number }): SharedArrayBuffer {
    const memory = new SharedArrayBuffer((HEADER_WORDS + SLOTS * SLOT_WORDS) * 4);
    if (prepared !== undefined) new Int32Array(memory).set([prepared.functions, 0, prepared.id]);
    return memory;
  }

  constructor(memory: SharedArrayBuffer) {
    this.#words = new Int32Array(memory);
  }

  /** How many function numbers have been given out. */
  get functions(): number {
    return Atomics.load(this.#words, NEXT_FUNCTION);
  }

  /** Whether a thread instruments a text. Not certain: a thread may have been ended in the midst of it. */
  get isBusy(): boolean {
    return Atomics.load(this.#words, BEING_MADE) > 0;
  }

  /** What `make` makes, while others see that a text is being instrumented. */
  whileBusy<T>(make: () => T): T {
    Atomics.add(this.#words, BEING_MADE, 1);
    try {
      return make();
    } finally {
      Atomics.sub(this.#words, BEING_MADE, 1);
    }
  }

  /** Whether the texts of this prepared pack have their numbers in this process. */
  isPreparedBy({ id }: { readonly id: number }): boolean {
    return this.#words[PREPARED] === (id | 0);
  }

  /**
   * The range of the text with this key (content and file together), allocated now if this thread is the first to ask.
   * @param reserved the number that its first function has in the prepared pack
   */
  claim(key: ContentKey, functionCount: number, length: number, reserved?: number): LinkedRange {
    for (let i = 0; i < TIERS.length; i++) {
      const { first, slots, probes } = TIERS[i]!;
      for (let probe = 0; probe < probes; probe++) {
        const range = this.#claimSlot(first + (((key[0] + probe) >>> 0) % slots), key, functionCount, length, reserved);
        if (range !== undefined) return range;
      }
    }
    return this.#take(functionCount, length, reserved);
  }

  /** Numbers for functions that are in no text of JavaScript: the first of them. */
  claimNumbers(count: number): number {
    return Atomics.add(this.#words, NEXT_FUNCTION, count);
  }

  /** The range of a slot that is this text's, or was free; undefined if it is another's. */
  #claimSlot(
    index: number,
    key: ContentKey,
    functionCount: number,
    length: number,
    reserved: number | undefined,
  ): LinkedRange | undefined {
    const words = this.#words;
    const slot = HEADER_WORDS + index * SLOT_WORDS;
    if (Atomics.compareExchange(words, slot + STATE, FREE, CLAIMED) === FREE) {
      const range = this.#take(functionCount, length, reserved);
      for (let i = 0; i < 4; i++) words[slot + KEY + i] = key[i] as number;
      words[slot + FIRST] = range.firstFunction;
      words[slot + BASE] = range.base;
      Atomics.store(words, slot + STATE, PUBLISHED);
      return range;
    }
    let spins = 0;
    while (Atomics.load(words, slot + STATE) !== PUBLISHED && spins < SPINS) spins++;
    if (spins === SPINS || !this.#matches(slot, key)) return undefined;
    return { firstFunction: words[slot + FIRST] as number, base: (words[slot + BASE] as number) >>> 0 };
  }

  #matches(slot: number, key: ContentKey): boolean {
    for (let i = 0; i < 4; i++) if ((this.#words[slot + KEY + i] as number) >>> 0 !== key[i]) return false;
    return true;
  }

  #take(functionCount: number, length: number, reserved: number | undefined): LinkedRange {
    const size = Math.ceil((length + 1) / ALIGNMENT) * ALIGNMENT;
    return {
      firstFunction: reserved ?? Atomics.add(this.#words, NEXT_FUNCTION, functionCount),
      base: (TEXT_LOW + Atomics.add(this.#words, NEXT_BASE, size)) >>> 0,
    };
  }
}
