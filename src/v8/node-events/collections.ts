import { PerformanceEntry, PerformanceObserver, performance } from 'node:perf_hooks';
import { defineProperty, getOwnPropertyDescriptor, uncurry } from '../realm/primordials.js';
import type { Undo } from '../realm/undo.js';

/** A garbage collection, as perf_hooks has it. */
export interface Collection {
  /** Milliseconds since the thread's performance.timeOrigin. */
  readonly startTime: number;
  /** Milliseconds. */
  readonly duration: number;
  /** One of `perf_hooks.constants.NODE_PERFORMANCE_GC_*`, and their flags. */
  readonly detail: { readonly kind: number; readonly flags: number };
}

/** The time on the clock of a collection's `startTime`. */
export const collectionClock = performance.now.bind(performance);

/** Node's own method that an observer is told each entry by, before it asks for a turn of the event loop to pass them on. */
const TOLD = Object.getOwnPropertySymbols(PerformanceObserver.prototype).find(
  ({ description }) => description === 'kMaybeBuffer',
);
const Observer = PerformanceObserver;
const typeOf = uncurry(getOwnPropertyDescriptor(PerformanceEntry.prototype, 'entryType')!.get!) as (entry: unknown) => unknown;

/**
 * Calls `seen` after each collection, as early as Node tells: before the event loop's next check phase, or later if the thread is
 * busy. The observer has no callback of its own that would need an immediate: the program's async_hooks see nothing of it.
 */
export function observeCollections(seen: (collection: Collection) => void): Undo {
  const observer = new Observer((list) => list.getEntries().forEach((entry) => void seen(entry as never)));
  // Node tells every observer of every entry: marks and requests too, in the middle of the program's call that makes one.
  const told = (entry: unknown): void => {
    try {
      if (typeOf(entry) === 'gc') seen(entry as Collection);
    } catch {
      // An entry that cannot be read is none of a collection, and its maker must not be disturbed.
    }
  };
  if (TOLD !== undefined) defineProperty(observer, TOLD, { value: told });
  observer.observe({ entryTypes: ['gc'] });
  return () => observer.disconnect();
}
