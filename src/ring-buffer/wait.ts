import type { RingBufferReader } from './reader.js';

/** How often readers that wait for any event look for one: the writer does not tell of single events. */
const POLL_MS = 10;
/** How long one sleep lasts at most when waiting for a watermark. */
const SLEEP_MS = 1000;

/**
 * Waits until one of the readers has something.
 * @param percent `buffer_percent`: 0 waits for any event, else for that much of a buffer's pages to be full
 * @param signal ends the wait
 * @returns false when the signal ended it
 */
export async function waitForEvents(
  readers: readonly RingBufferReader[],
  percent: number,
  signal?: AbortSignal,
): Promise<boolean> {
  if (percent === 0) {
    while (!signal?.aborted) {
      if (readers.some((reader) => !reader.isEmpty())) return true;
      await sleep(POLL_MS, [], signal);
    }
    return false;
  }
  for (const reader of readers) reader.addWatermark(percent);
  try {
    while (!signal?.aborted) {
      // Asleep before the look: what happens between the two wakes.
      const wakeUps = readers.map((reader) => reader.nextWakeUp(SLEEP_MS));
      if (readers.some((reader) => reader.isFull(percent))) return true;
      await sleep(SLEEP_MS, wakeUps, signal);
    }
    return false;
  } finally {
    for (const reader of readers) reader.removeWatermark(percent);
  }
}

/** Ends with the first of: the time, one of the promises, the signal. */
function sleep(ms: number, promises: readonly Promise<void>[], signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener('abort', done);
    for (const promise of promises) promise.then(done);
  });
}
