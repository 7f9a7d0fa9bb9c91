import type { AnswerValue } from '../answer.js';
import type { MemoryUse } from '../memory-use.js';
import type { Frame } from '../place.js';

/** Which functions of a process allocate memory in some time, and whose memory lives on. V8 estimates both from samples. */
export interface AllocationsAnswer extends AnswerValue {
  readonly answer: 'allocations';
  readonly version: 1;
  /** The main thread first, then workers by their numbers: those that ran when the time began. */
  readonly threads: readonly AllocatingThread[];
}

/** What one thread allocates. */
export interface AllocatingThread {
  /** Node's number of the thread; 0 is the main thread. */
  readonly thread: number;
  /** The name that the program has given a worker; '' for none. */
  readonly name: string;
  /** Present if the thread was not sampled: why, in words that follow "it". All other numbers are 0 then. */
  readonly silence?: string;
  /** The time in which everything that is allocated was counted, in seconds. */
  readonly allocatedSeconds: number;
  /** The time behind it of which was counted what lived on at its end, in seconds. */
  readonly keptSeconds: number;
  /** How long the thread stood still at most for the two collections and profiles of V8, in milliseconds. */
  readonly stoppedMs: number;
  /** Memory at the beginning. */
  readonly before: MemoryUse;
  /** Memory at the end. */
  readonly after: MemoryUse;
  /** The functions that allocated, each once, the largest `allocated` first. */
  readonly functions: readonly AllocatingFunction[];
  /** The stacks on which was allocated. */
  readonly stacks: readonly AllocationStack[];
}

/** Bytes that are allocated in V8's heap. */
export interface AllocatedBytes {
  /** In `allocatedSeconds`, also what was collected since. */
  readonly allocated: number;
  /** In `keptSeconds`, and reachable at its end. */
  readonly kept: number;
}

/** A function with the bytes that it allocates itself: built-in functions count for their caller. */
export interface AllocatingFunction extends Frame, AllocatedBytes {}

/** A stack with the bytes that are allocated on it. */
export interface AllocationStack extends AllocatedBytes {
  /** Indexes in `functions`, the outermost call first. */
  readonly functions: readonly number[];
}

/** What of the allocations is wanted. */
export interface AllocationsRequest {
  /** How long the process is looked at, in seconds. */
  readonly seconds: number;
}

/** The longest time that a process is looked at, in seconds. */
export const MOST_SECONDS = 600;
/** The time of the files without a time in their name. */
export const DEFAULT_SECONDS = 10;
