import { OpsLists } from '../../../ftrace/ops-lists.js';
import { afterPatches, type Patches } from '../../../ftrace/plan.js';

/** Makes patches for one thread, as the control thread does: functions are to call the ops with these ids. */
export function createPatcher(): (functions: readonly number[], opsOf: (index: number) => readonly number[]) => Patches {
  const lists = new OpsLists();
  let applied = new Uint32Array(0);
  return (functions, opsOf) => {
    const plan = {
      functions: Uint32Array.from(functions),
      lists: Uint32Array.from(functions, (_, index) => lists.numberOf(opsOf(index))),
    };
    const patches = { ...plan, added: lists.takeAdded() };
    applied = afterPatches(applied, patches, lists) as typeof applied;
    return patches;
  };
}
