import { TraceError } from '../base/errno.js';
import {
  AtomicsStore,
  AtomicsAnd as and,
  AtomicsCompareExchange as compareExchange,
  AtomicsLoad as load,
  AtomicsOr as or,
} from '../base/primordials.js';

/**
 * Words in shared memory that threads look at whenever an event happens, so that a trigger or a probe of one thread switches an
 * event in all of them, and counts for all of them, without a message.
 */

/** Bit of an event's state word: it stays enabled, but nothing of it is recorded (EVENT_FILE_FL_SOFT_DISABLED). */
export const SOFT_DISABLED = 1;

// Taken before a program could replace them: triggers and probes switch events in its threads.

/** Whether the event with this state word is not recorded though it is enabled. */
export const isSoftDisabled = (words: Int32Array, index: number): boolean => (load(words, index) & SOFT_DISABLED) !== 0;

/** Switches that, in all threads at once. */
export function setSoftDisabled(words: Int32Array, index: number, isDisabled: boolean): void {
  if (isDisabled) or(words, index, SOFT_DISABLED);
  else and(words, index, ~SOFT_DISABLED);
}

/** Counts down; returns false if nothing was left. Another thread may count down at the same time. */
export function takeOne(counts: Int32Array, at: number, isLeft: (count: number) => boolean): boolean {
  for (;;) {
    const count = load(counts, at);
    if (!isLeft(count)) return false;
    if (compareExchange(counts, at, count, count - 1) === count) return true;
  }
}

/** A count that began at -1 never gets to 0. */
export const isNotZero = (count: number): boolean => count !== 0;

/** Words that there can be: states of events in instances, and counts of triggers. */
const MAX_WORDS = 1 << 16;

/** Allocates the words. */
export class EventWords {
  readonly #allocate: (bytes: number) => SharedArrayBuffer;
  #words: Int32Array | undefined;
  readonly #free: number[] = [];
  #next = 0;

  /** @param allocate gives memory that all threads can write to */
  constructor(allocate = (bytes: number): SharedArrayBuffer => new SharedArrayBuffer(bytes)) {
    this.#allocate = allocate;
  }

  /** Most processes have no events: the memory comes with the first use. */
  get words(): Int32Array {
    this.#words ??= new Int32Array(this.#allocate(MAX_WORDS * Int32Array.BYTES_PER_ELEMENT));
    return this.#words;
  }

  get memory(): SharedArrayBuffer {
    return this.words.buffer as SharedArrayBuffer;
  }

  /** The index of a word that holds `value` from now on; undefined when there is none left. */
  take(value: number): number | undefined {
    const index = this.#free.pop() ?? (this.#next < MAX_WORDS ? this.#next++ : undefined);
    if (index !== undefined) AtomicsStore(this.words, index, value);
    return index;
  }

  /** Takes a word that is free. @throws TraceError ENOMEM */
  takeOrThrow(value = 0): number {
    const index = this.take(value);
    if (index === undefined) throw new TraceError('ENOMEM', 'there are too many events and probes');
    return index;
  }

  /** No thread uses the word any more. */
  free(index: number): void {
    this.#free.push(index);
  }
}
