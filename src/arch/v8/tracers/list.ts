import { OPS_ID } from '../../../ftrace/ops.js';
import { type EntryFunction, IGNORED } from './entry.js';

/**
 * The list function (arch_ftrace_ops_list_func): for sites with several ops. Calls each whose bit the function's mask has.
 * @param entries the ops' entries by id
 * @param masks the mask of each function
 */
export function createListEntry(entries: readonly (EntryFunction | undefined)[], masks: () => Uint32Array): EntryFunction {
  return (n, depth, self, args) => {
    const mask = masks()[n]!;
    let want = IGNORED;
    for (let id = 0; id <= OPS_ID.LAST_SUBSCRIBER; id++) {
      if ((mask & (1 << id)) === 0) continue;
      const entry = entries[id];
      if (entry === undefined) continue;
      const one = entry(n, depth, self, args);
      if (one !== IGNORED) want = want === IGNORED ? one : want | one;
    }
    return want;
  };
}
