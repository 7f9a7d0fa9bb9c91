import { countShared } from '../base/shared-memory.js';

const HITS = 0;
const TIME = 1;
const SQUARES = 2;
const COLUMNS = 3;
const BYTES = 8;

/** What the profiler counts on one thread, in memory that the thread writes. */
export interface ProfileCounts {
  readonly memory: SharedArrayBuffer;
  /** How many functions fit. */
  readonly capacity: number;
  reset(): void;
  /** Functions that were called, by number. */
  rows(): readonly ProfiledFunction[];
}

/** How many functions fit into memory that is made for so many. */
export const profileCapacity = (functions: number): number => 2 ** Math.ceil(Math.log2(Math.max(1024, functions)));

/**
 * What the function profiler counts on one thread (struct ftrace_profile), by function number: in shared memory, written by
 * that thread and read by the control thread. A page whose functions are not called is never touched and takes no memory.
 */
export class FunctionProfile implements ProfileCounts {
  readonly memory: SharedArrayBuffer;
  readonly capacity: number;
  /** How often each function was called. */
  readonly hits: Float64Array<SharedArrayBuffer>;
  /** The total time of calls that have ended, in nanoseconds. */
  readonly time: Float64Array<SharedArrayBuffer>;
  /** The sum of the squares of these times. */
  readonly squares: Float64Array<SharedArrayBuffer>;

  constructor(memory: SharedArrayBuffer) {
    const capacity = memory.byteLength / (COLUMNS * BYTES);
    const column = (at: number): Float64Array<SharedArrayBuffer> => new Float64Array(memory, at * capacity * BYTES, capacity);
    this.memory = countShared(memory);
    this.capacity = capacity;
    this.hits = column(HITS);
    this.time = column(TIME);
    this.squares = column(SQUARES);
  }

  /** An empty one for at least so many functions. */
  static create(functions: number): FunctionProfile {
    return new FunctionProfile(new SharedArrayBuffer(profileCapacity(functions) * COLUMNS * BYTES));
  }

  reset(): void {
    for (const column of [this.hits, this.time, this.squares]) column.fill(0);
  }

  rows(): ProfiledFunction[] {
    const rows: ProfiledFunction[] = [];
    for (let n = 0; n < this.capacity; n++) {
      if (this.hits[n] !== 0) rows.push({ n, hits: this.hits[n]!, time: this.time[n]!, squares: this.squares[n]! });
    }
    return rows;
  }
}

/** The counts of several memories together, the longest time first. */
export function addProfiles(profiles: readonly ProfileCounts[]): readonly ProfiledFunction[] {
  const sums = new Map<number, ProfiledFunction>();
  for (const row of profiles.flatMap((one) => one.rows())) {
    const sum = sums.get(row.n) ?? { hits: 0, time: 0, squares: 0 };
    sums.set(row.n, {
      n: row.n,
      hits: sum.hits + row.hits,
      time: sum.time + row.time,
      squares: sum.squares + row.squares,
    });
  }
  return [...sums.values()].sort((a, b) => b.time - a.time);
}

/** The counts of one function; times in nanoseconds. */
export interface ProfiledFunction {
  readonly n: number;
  readonly hits: number;
  readonly time: number;
  readonly squares: number;
}
