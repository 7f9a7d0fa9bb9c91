import { countShared } from '../base/shared-memory.js';

const HITS = 0;
const TIME = 1;
const SQUARES = 2;
const COLUMNS = 3;
const BYTES = 8;
/** The value of the word that says that the thread writes here. */
const HEADER_BYTES = 8;

/**
 * What the function profiler counts on one thread (struct ftrace_profile), by function number: in shared memory, written by
 * that thread and read by the control thread. A page whose functions are not called is never touched and takes no memory.
 */
export class FunctionProfile {
  readonly memory: SharedArrayBuffer;
  /** How many functions fit. */
  readonly capacity: number;
  /** How often each function was called. */
  readonly hits: Float64Array<SharedArrayBuffer>;
  /** The total time of calls that have ended, in nanoseconds. */
  readonly time: Float64Array<SharedArrayBuffer>;
  /** The sum of the squares of these times. */
  readonly squares: Float64Array<SharedArrayBuffer>;
  readonly #used: Int32Array<SharedArrayBuffer>;

  constructor(memory: SharedArrayBuffer) {
    const capacity = (memory.byteLength - HEADER_BYTES) / (COLUMNS * BYTES);
    const column = (at: number): Float64Array<SharedArrayBuffer> =>
      new Float64Array(memory, HEADER_BYTES + at * capacity * BYTES, capacity);
    this.#used = new Int32Array(memory, 0, 1);
    this.memory = countShared(memory);
    this.capacity = capacity;
    this.hits = column(HITS);
    this.time = column(TIME);
    this.squares = column(SQUARES);
  }

  /** An empty one for at least so many functions. */
  static create(functions: number): FunctionProfile {
    const capacity = 2 ** Math.ceil(Math.log2(Math.max(1024, functions)));
    return new FunctionProfile(new SharedArrayBuffer(HEADER_BYTES + capacity * COLUMNS * BYTES));
  }

  /** Whether the thread counts here; a larger replacement is not used before the thread has moved to it. */
  get isUsed(): boolean {
    return Atomics.load(this.#used, 0) !== 0;
  }

  /** Begins to count here, starting from the previous counts; runs on the thread that counts. */
  use(before?: FunctionProfile): void {
    if (before !== undefined && !this.isUsed) {
      this.hits.set(before.hits);
      this.time.set(before.time);
      this.squares.set(before.squares);
    }
    Atomics.store(this.#used, 0, 1);
  }

  reset(): void {
    for (const column of [this.hits, this.time, this.squares]) column.fill(0);
  }

  /** What was counted, longest time first. */
  rows(): ProfiledFunction[] {
    const rows: ProfiledFunction[] = [];
    for (let n = 0; n < this.capacity; n++) {
      if (this.hits[n] !== 0) rows.push({ n, hits: this.hits[n]!, time: this.time[n]!, squares: this.squares[n]! });
    }
    return rows.sort((a, b) => b.time - a.time);
  }
}

/** The counts of one function; times in nanoseconds. */
export interface ProfiledFunction {
  readonly n: number;
  readonly hits: number;
  readonly time: number;
  readonly squares: number;
}
