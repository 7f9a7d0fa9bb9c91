import { LOGGED_IDS, OWNERS_AT, THREAD_WORDS, threadWordsBytes } from '../code/thread-words.js';
import type { RingMemoryPages } from './shared-pages.js';

/** What threads have told of themselves (THREAD_WORDS): it can be read when the process has ended, too. */
export class ThreadTable {
  /** Where the traced process has it. */
  readonly address: number;
  readonly #longs: BigInt64Array;
  readonly #log: Uint32Array;
  readonly #owners: Int32Array;
  #read = 0;

  constructor(pages: RingMemoryPages, threads: number) {
    const memory = pages.allocate(threadWordsBytes(threads));
    this.address = pages.addressOf(memory)!;
    this.#longs = new BigInt64Array(memory, 0, THREAD_WORDS.LOG / 8);
    this.#log = new Uint32Array(memory, THREAD_WORDS.LOG, LOGGED_IDS);
    this.#owners = new Int32Array(memory, OWNERS_AT, threads);
  }

  /** Calls of threads that found no block. */
  get unblocked(): number {
    return Number(Atomics.load(this.#longs, THREAD_WORDS.UNBLOCKED / 8));
  }

  /** The threads that have taken a block since the last call. Of very many, those that came first are not known. */
  newIds(): readonly number[] {
    const count = Number(Atomics.load(this.#longs, THREAD_WORDS.LOGGED / 8));
    const ids: number[] = [];
    for (let n = Math.max(this.#read, count - LOGGED_IDS); n < count; n++) {
      const id = Atomics.load(this.#log, n % LOGGED_IDS);
      if (id !== 0) ids.push(id);
    }
    this.#read = count;
    return ids;
  }

  /** The address of a block's word. */
  ownerWord(block: number): number {
    return this.address + OWNERS_AT + block * 4;
  }

  /** The thread that has a block; 0: none. */
  owner(block: number): number {
    return Atomics.load(this.#owners, block);
  }

  /** Takes a block from a thread that has ended; false: another thread has it by now. */
  release(block: number, tid: number): boolean {
    return Atomics.compareExchange(this.#owners, block, tid, 0) === tid;
  }
}
