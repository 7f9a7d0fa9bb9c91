import { Queue } from './queue.js';

const waiting = new Queue<() => void>();

/**
 * Resolves in a turn of the event loop that only one of the callers gets, one after the other. Work that is longer than a short
 * piece asks for a turn before each further piece. Otherwise, streams to a fast client would go on in microtasks, and no other
 * request would be handled.
 */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.isEmpty) setImmediate(runOne);
    waiting.put(resolve);
  });
}

function runOne(): void {
  waiting.take()?.();
  if (!waiting.isEmpty) setImmediate(runOne);
}
