import type { CpuReader } from './cpu-reader.js';

/** The longest sleep. */
const SLEEP_MS = 1000;
/**
 * How long a woken reader waits for more events. The writer only announces the first one: by then it is there, and a reader
 * does not slow down a thread that writes all the time by asking again and again.
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
      // Starts to wait before the check: a change between the two then ends the wait.
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
