import type { ProfileCounts, ProfiledFunction } from './function-profile.js';

/** A function's counts: u64 each, but for the sum of squares, which has 128 bits. */
export const PROFILE_ROW = { HITS: 0, TIME: 8, SQUARES_LOW: 16, SQUARES_HIGH: 24, BYTES: 32 } as const;
const WORDS = PROFILE_ROW.BYTES / 8;
const TWO_64 = 2 ** 64;

/** What the profiler counts on a thread that counts in whole numbers, because machine code can add these in one instruction. */
export class IntegerProfile implements ProfileCounts {
  readonly memory: SharedArrayBuffer;
  readonly capacity: number;
  readonly #words: BigUint64Array;

  /** @param memory at least a row for each function */
  constructor(memory: SharedArrayBuffer) {
    this.memory = memory;
    this.capacity = Math.floor(memory.byteLength / PROFILE_ROW.BYTES);
    this.#words = new BigUint64Array(memory, 0, this.capacity * WORDS);
  }

  reset(): void {
    this.#words.fill(0n);
  }

  rows(): ProfiledFunction[] {
    const rows: ProfiledFunction[] = [];
    for (let n = 0; n < this.capacity; n++) {
      const hits = Number(this.#words[n * WORDS]);
      if (hits === 0) continue;
      const [time, low, high] = [1, 2, 3].map((column) => Number(this.#words[n * WORDS + column]));
      rows.push({ n, hits, time: time!, squares: low! + high! * TWO_64 });
    }
    return rows;
  }
}
