import { type FtraceOps, opsOfThread } from '../../ftrace/ops.js';
import { OpsLists } from '../../ftrace/ops-lists.js';
import { afterPatches, type Patches, planPatches, type WantedBy, wantedBy } from '../../ftrace/plan.js';
import type { DynFtraceRecords } from '../../ftrace/records.js';
import type { PatchedSites, TracedThread } from '../../port/port.js';
import type { FunctionRange, TextTable } from './text-table.js';

type Plan = Omit<Patches, 'added'>;

/** What sites call that are patched together, by the control side's commands. */
export class SitePatches {
  /** Threads that run the sites. */
  readonly threads = new Set<TracedThread>();
  readonly #sites: PatchedSites;
  readonly #texts: FunctionRange[] = [];
  readonly #described = new Set<number>();
  readonly #lists = new OpsLists();
  #applied: Uint32Array = new Uint32Array(0);

  constructor(sites: PatchedSites) {
    this.#sites = sites;
  }

  /** A thread has loaded a text: its sites are NOPs. */
  link(text: FunctionRange): void {
    this.#texts.push(text);
  }

  /** Sends the patches for everything that differs from what the ops want, in one text. */
  applyTo(text: FunctionRange, records: DynFtraceRecords, ops: readonly FtraceOps[], table: TextTable): void {
    const wanted = wantedBy(records, this.#own(ops), text.end - text.firstFunction);
    this.#plan([text], records, wanted, table);
  }

  /**
   * Patches the sites in all texts.
   * @param all finds the ops that want a function, among all ops
   */
  apply(records: DynFtraceRecords, ops: readonly FtraceOps[], all: WantedBy, table: TextTable): void {
    const own = this.#own(ops);
    this.#plan(this.#texts, records, own.length === ops.length ? all : wantedBy(records, own, records.count), table);
  }

  #own(ops: readonly FtraceOps[]): readonly FtraceOps[] {
    const threads = [...this.threads];
    return ops.filter((one) => threads.some((thread) => opsOfThread(one, thread)));
  }

  #plan(texts: readonly FunctionRange[], records: DynFtraceRecords, wanted: WantedBy, table: TextTable): void {
    const plans: Plan[] = [];
    for (const text of texts) {
      const plan = planPatches(records, this.#applied, wanted, this.#lists, text.firstFunction, text.end);
      if (plan.functions.length === 0) continue;
      this.#describe(text, table);
      plans.push(plan);
    }
    if (plans.length === 0) return;
    const patches = { ...joined(plans), added: this.#lists.takeAdded() };
    this.#applied = afterPatches(this.#applied, patches, this.#lists);
    this.#sites.post({ type: 'patch', patches });
  }

  /** Tells the threads the addresses of all functions, or of those of one text. */
  describe(table: TextTable, texts: readonly FunctionRange[] = this.#texts): void {
    for (const text of texts) this.#describe(text, table);
  }

  #describe({ firstFunction }: FunctionRange, table: TextTable): void {
    if (this.#described.has(firstFunction)) return;
    this.#described.add(firstFunction);
    this.#sites.post({ type: 'functions', functions: table.linkedFunctions(firstFunction) });
  }
}

function joined(plans: readonly Plan[]): Plan {
  const length = plans.reduce((sum, { functions }) => sum + functions.length, 0);
  const functions = new Uint32Array(length);
  const lists = new Uint32Array(length);
  let at = 0;
  for (const plan of plans) {
    functions.set(plan.functions, at);
    lists.set(plan.lists, at);
    at += plan.functions.length;
  }
  return { functions, lists };
}
