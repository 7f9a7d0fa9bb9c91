import { promiseHooks } from 'node:v8';
import type { FindPromiseMaker } from '../realm/find-promise-maker.js';
import { SafeWeakMap } from '../realm/primordials.js';
import type { Undo } from '../realm/undo.js';

/** Who has made promises. */
export interface PromiseMakers {
  /** An address inside the function; 0: it is not known. */
  of(promise: object): number;
  readonly end: Undo;
}

/** Looks that may follow each other at once, and those in a millisecond: each takes 2 to 3 µs, so all of them 1 % of the time. */
const MOST_LOOKS = 1000;
const LOOKS_PER_MS = 4;
/** Looks that are kept for promises without a parent: who made one of `then` is asked for if there are more. */
const KEPT_LOOKS = MOST_LOOKS / 2;
/** While there are no looks left, the clock is read once for so many promises. */
const PROMISES_PER_TIME = 64;
const NS_PER_MS = 1_000_000;

/**
 * Keeps who makes promises, from now on, as far as a hundredth of the time allows: that is on the stack only at that moment.
 * @param clock nanoseconds
 */
export function watchPromiseMakers(find: FindPromiseMaker, clock: () => number): PromiseMakers {
  const makers = new SafeWeakMap<object, number>();
  let looks = MOST_LOOKS;
  let since = clock();
  let unseen = 0;
  const mayLook = (kept: number): boolean => {
    if (looks > kept) return true;
    if (++unseen % PROMISES_PER_TIME !== 0) return false;
    const now = clock();
    looks = Math.min(MOST_LOOKS, looks + ((now - since) / NS_PER_MS) * LOOKS_PER_MS);
    since = now;
    return looks > kept;
  };
  const stop = promiseHooks.onInit((promise, parent) => {
    if (!mayLook((parent as unknown) === undefined ? 0 : KEPT_LOOKS)) return;
    looks--;
    const maker = find();
    if (maker !== 0) makers.set(promise, maker);
  });
  return { of: (promise) => makers.get(promise) ?? 0, end: () => void stop() };
}
