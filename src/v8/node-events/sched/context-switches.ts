import type { ContextListener, ThreadContexts } from '../../async/thread-contexts.js';
import type { Undo } from '../../realm/undo.js';
import type { ContextTasks } from './context-tasks.js';

/** What the context that stops to run is from now on, as bits of the kernel's task state. */
export const TASK_STATE = { running: 0, sleeping: 1, zombie: 0x20, preempted: 0x100 } as const;

/** Called when the context that runs changes. Ids of async_hooks, 0 for none. */
export type ContextSwitched = (prev: number, state: number, next: number) => void;

/** The greatest depth of contexts within contexts; deeper ones count as one. */
const MAX_NESTED = 4096;

/** Before what happens in the context. */
const LEVEL = 0;

/** Tells which async context runs, from now on. A context that runs within another one preempts it. */
export function watchSwitches(contexts: ThreadContexts, names: ContextTasks, switched: ContextSwitched): Undo {
  /** The contexts below the one that runs, innermost last. */
  const below = new Float64Array(MAX_NESTED);
  let depth = 0;
  let { current } = contexts;

  const listener: ContextListener = {
    level: LEVEL,
    running(id) {
      const prev = current;
      if (depth < MAX_NESTED) below[depth] = prev;
      depth++;
      current = id;
      switched(prev, prev === 0 ? TASK_STATE.running : TASK_STATE.preempted, id);
    },
    ran(id) {
      const next = depth > 0 ? below[Math.min(--depth, MAX_NESTED - 1)]! : 0;
      current = next;
      switched(id, names.isOver(id) ? TASK_STATE.zombie : TASK_STATE.sleeping, next);
    },
  };
  return contexts.listen(listener);
}
