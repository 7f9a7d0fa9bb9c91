import type { TracedThread } from '../../../arch/port.js';
import { type FtraceOps, opsOfThread } from '../../../ftrace/ops.js';
import { afterPatches, type Patches, planPatches } from '../../../ftrace/plan.js';
import type { DynFtraceRecords } from '../../../ftrace/records.js';
import type { TextRange, TextTable } from './text-table.js';

/** What one thread's sites call, by the control thread's commands. */
export class ThreadPatches {
  readonly #thread: TracedThread;
  readonly #texts: TextRange[] = [];
  readonly #described = new Set<number>();
  #applied: Uint32Array = new Uint32Array(0);

  constructor(thread: TracedThread) {
    this.#thread = thread;
  }

  /** The thread has loaded a text: its sites are NOPs. */
  link(text: TextRange): void {
    this.#texts.push(text);
  }

  /** Sends the thread the patches for everything that differs from what the ops want, in all its texts or in one. */
  apply(records: DynFtraceRecords, ops: readonly FtraceOps[], table: TextTable, only?: TextRange): void {
    const own = ops.filter((one) => opsOfThread(one, this.#thread));
    const plans: Patches[] = [];
    for (const text of only === undefined ? this.#texts : [only]) {
      const patches = planPatches(records, this.#applied, own, text.firstFunction, text.end);
      if (patches.functions.length === 0) continue;
      this.#describe(text, table);
      plans.push(patches);
    }
    if (plans.length === 0) return;
    const patches = joined(plans);
    this.#applied = afterPatches(this.#applied, patches);
    this.#thread.post({ type: 'patch', patches });
  }

  #describe({ firstFunction }: TextRange, table: TextTable): void {
    if (this.#described.has(firstFunction)) return;
    this.#described.add(firstFunction);
    this.#thread.post({ type: 'functions', functions: table.linkedFunctions(firstFunction) });
  }
}

function joined(plans: readonly Patches[]): Patches {
  const length = plans.reduce((sum, { functions }) => sum + functions.length, 0);
  const functions = new Uint32Array(length);
  const masks = new Uint32Array(length);
  let at = 0;
  for (const plan of plans) {
    functions.set(plan.functions, at);
    masks.set(plan.masks, at);
    at += plan.functions.length;
  }
  return { functions, masks };
}
