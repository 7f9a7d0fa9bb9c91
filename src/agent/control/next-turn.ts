import { Queue } from '../../base/queue.js';

const waiting = new Queue<() => void>();

/**
 * Resolves in a turn of the event loop that is the caller's alone among those who ask for one, each in its turn. Who has more work
 * than a short piece asks before each further piece: streams that a fast client reads would else go on by microtasks, and
 * nobody else's request would be looked at.
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
