import {
  AtomicsAdd as addAtomically,
  AtomicsCompareExchange as compareExchange,
  AtomicsLoad as load,
  AtomicsNotify as notify,
  AtomicsStore as store,
  AtomicsWait as wait,
} from '../../base/primordials.js';
import { SHARED } from './layout.js';

/** The lock of a script's globals, for all threads. Its word has the number of its holder's writer, and one; 0: it is free. */

/** Tries before a thread sleeps: the holder may run on another CPU. */
const SPINS = 50;
/** Milliseconds of a sleep; MAXTRYLOCK says how many there are. */
const SLEEP_MS = 0.1;

/** @param tries how often it sleeps before it gives up @returns whether it has the lock */
export function acquire(words: Int32Array, writer: number, tries: number): boolean {
  const own = writer + 1;
  const before = compareExchange(words, SHARED.LOCK, 0, own);
  // A handler that had no stack left to give it back.
  return before === 0 || before === own || acquireSlowly(words, own, tries);
}

function acquireSlowly(words: Int32Array, own: number, tries: number): boolean {
  for (let i = 0; i < SPINS; i++) if (compareExchange(words, SHARED.LOCK, 0, own) === 0) return true;
  addAtomically(words, SHARED.WAITERS, 1);
  let isOwn = false;
  for (let i = 0; i < tries && !isOwn; i++) {
    const holder = load(words, SHARED.LOCK);
    // Timed, because the holder looks for waiters after it has left.
    if (holder !== 0) wait(words, SHARED.LOCK, holder, SLEEP_MS);
    isOwn = compareExchange(words, SHARED.LOCK, 0, own) === 0;
  }
  addAtomically(words, SHARED.WAITERS, -1);
  return isOwn;
}

export function release(words: Int32Array): void {
  store(words, SHARED.LOCK, 0);
  if (words[SHARED.WAITERS] !== 0) wake(words);
}

/** Wakes a thread that waits for the lock. */
export function wake(words: Int32Array): void {
  notify(words, SHARED.LOCK, 1);
}

/** Frees the lock of a thread that has ended. */
export function releaseOf(words: Int32Array, writer: number): void {
  if (compareExchange(words, SHARED.LOCK, writer + 1, 0) === writer + 1) notify(words, SHARED.LOCK);
}
