import { useEffect } from 'preact/hooks';
import { EndedError } from './live-server.js';
import { hasEnded, isPaused, pid } from './live-state.js';

/**
 * Does something now and again and again: while what uses it is shown, the page can be seen, the process runs, and nobody has
 * paused it. The next time begins so many ms after the one before has ended.
 */
export function useRepeated(
  work: (signal: AbortSignal) => Promise<void>,
  milliseconds: number,
  depends: readonly unknown[],
): void {
  const isOn = !isPaused.value && !hasEnded.value && pid.value !== undefined;
  useEffect(() => {
    if (!isOn) return;
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const again = async (): Promise<void> => {
      if (!document.hidden) await work(stop.signal).catch(ended);
      if (!stop.signal.aborted) timer = setTimeout(again, milliseconds);
    };
    void again();
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [isOn, pid.value, ...depends]);
}

/** What an error of a repeated question means: the process may have ended. Others are shown where they belong. */
function ended(error: unknown): void {
  if (error instanceof EndedError) hasEnded.value = true;
}
