import { unseenMicrotask } from '../../base/unseen-microtask.js';
import { type Fgraph, MARKED } from '../../ftrace/fgraph.js';

/**
 * Clears the frames that exceptions left on the shadow stack when a job ends. The outermost entry of a job calls the returned
 * function, which puts one marker into the microtask queue: when it runs, the JavaScript stack is empty, so every frame on the
 * shadow stack is dead. At most one marker waits at a time, whatever the number of calls.
 *
 * No hook may see the marker: a traced hook of the program that is called after it would be outermost again and put the next
 * marker into the queue, so the queue would never be empty.
 */
export function createJobMarker(fgraph: Fgraph): () => void {
  const { state } = fgraph;
  const mark = unseenMicrotask(() => {
    state[MARKED] = 0;
    fgraph.unwindTo(0);
  });
  return () => {
    if (state[MARKED] !== 0) return;
    state[MARKED] = 1;
    try {
      mark();
    } catch {
      // The stack is full; the next outermost call tries again.
      state[MARKED] = 0;
    }
  };
}
