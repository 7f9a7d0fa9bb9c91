import type { CpuReader } from './cpu-reader.js';

/** How long one sleep lasts at most. */
const SLEEP_MS = 1000;
/**
 * How long a reader that was woken by an event lets more of them come. The writer says only that the first one is coming:
 * by then that one is there, and a thread that writes all the time is not held up by a reader that asks it again and again.
 */
const GATHER_MS = 10;

/**
 * Waits until one of the readers has something.
 * @param percent `buffer_percent`: 0 waits for any event, else for that much of a buffer's pages to be full
 * @param signal ends the wait
 * @param timeoutMs so does this time
 * @returns whether there is something; false when the wait was ended
 */
export async function waitForEvents(
  readers: readonly CpuReader[],
  percent: number,
  signal?: AbortSignal,
  timeoutMs = Infinity,
): Promise<boolean> {
  const forAny = percent === 0;
  const isReady = (reader: CpuReader): boolean => (forAny ? !reader.isEmpty() : reader.isFull(percent));
  if (!forAny) for (const reader of readers) reader.addWatermark(percent);
  try {
    const end = performance.now() + timeoutMs;
    for (let left = timeoutMs; left > 0 && !signal?.aborted; left = end - performance.now()) {
      const ms = Math.min(SLEEP_MS, left);
      // Asleep before the look: what happens between the two wakes.
      const wakeUps = readers.map((reader) => (forAny ? reader.nextEvent(ms) : reader.nextWakeUp(ms)));
      if (readers.some(isReady)) return true;
      await sleep(ms, wakeUps, signal);
      if (forAny) await sleep(Math.min(GATHER_MS, ms), [], signal);
    }
    return false;
  } finally {
    if (!forAny) for (const reader of readers) reader.removeWatermark(percent);
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
