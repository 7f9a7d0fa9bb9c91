import { type Fgraph, MARKED } from '../ftrace/fgraph.js';

const { resolve } = Promise;
const { then } = Promise.prototype;
const { apply } = Reflect;

/** The marker of one thread. */
export interface JobMarker {
  /** To be called by the outermost entry of a job. */
  readonly outermost: () => void;
  /** Whether an async resource is the marker's own promise. */
  readonly isMarker: (resource: object) => boolean;
}

/**
 * Clears what exceptions left on the shadow stack when a job ends. The outermost entry of a job puts one marker
 * into the microtask queue: when it runs, the JavaScript stack is empty, so every frame on the shadow stack is dead.
 * One marker at most waits at a time, whatever the number of calls.
 */
export function createJobMarker(fgraph: Fgraph): JobMarker {
  const { state } = fgraph;
  const settled = apply(resolve, Promise, []) as Promise<void>;
  // then() asks the promise's constructor for its species, which a program may have replaced; without one it asks nobody.
  Object.defineProperty(settled, 'constructor', { value: undefined });
  const mark = [
    (): void => {
      state[MARKED] = 0;
      fgraph.unwindTo(0);
    },
  ];
  let last: object | undefined;
  // A promise reaction and not queueMicrotask(): it makes no AsyncResource, and costs less.
  const outermost = (): void => {
    if (state[MARKED] !== 0) return;
    state[MARKED] = 1;
    try {
      last = apply(then, settled, mark) as object;
    } catch {
      // The stack is full; the next outermost call tries again.
      state[MARKED] = 0;
    }
  };
  return { outermost, isMarker: (resource) => resource === last };
}
