import type { TracedThread } from '../../../arch/port.js';
import { createOps, FTRACE_OPS_FL, type FtraceOps, OPS_ID } from '../../../ftrace/ops.js';
import type { DiversionChange } from '../../../tracers/diversions.js';
import type { OpsOwner } from './ops-owner.js';

/** An owner of functions that may have other code run in place of their own (FTRACE_OPS_FL_IPMODIFY). */
interface DiversionOwner {
  readonly ops: FtraceOps;
  /** What a thread must know about it, in this order. */
  readonly changes: readonly DiversionChange[];
}

/** What replaces functions of the process: each function has at most one owner. */
export class ProcessDiversions implements OpsOwner {
  readonly #threads: Iterable<TracedThread>;
  /** By name. */
  readonly #owners = new Map<string, DiversionOwner>();
  #isUsed = false;

  /** @param threads the living threads, which are told */
  constructor(threads: Iterable<TracedThread>) {
    this.#threads = threads;
  }

  get ops(): readonly FtraceOps[] {
    return Array.from(this.#owners.values(), ({ ops }) => ops);
  }

  /** The name of the owner of a function. */
  ownerOf(n: number): string | undefined {
    for (const [owner, { ops }] of this.#owners) if (ops.filter.functions.has(n)) return owner;
    return undefined;
  }

  /**
   * Gives functions to an owner, or changes what new threads are told about it. Sites follow with the next plan.
   * @param callback as enabled_functions names it
   */
  set(owner: string, callback: string, functions: readonly number[], changes: readonly DiversionChange[]): void {
    const ops = createOps(OPS_ID.IPMODIFY, callback, FTRACE_OPS_FL.SAVE_REGS | FTRACE_OPS_FL.IPMODIFY);
    const filter = { functions: new Set(functions), words: [] };
    this.#owners.set(owner, { ops: { ...ops, filter, enabled: functions.length > 0 }, changes });
  }

  delete(owner: string): void {
    this.#owners.delete(owner);
  }

  tell(change: DiversionChange): void {
    this.#isUsed = true;
    for (const thread of this.#threads) thread.post({ type: 'service', kind: 'ipmodify', config: change });
  }

  addThread(thread: TracedThread): void {
    for (const { changes } of this.#owners.values()) {
      for (const config of changes) thread.post({ type: 'service', kind: 'ipmodify', config });
    }
  }

  /** The functions of an owner are those that it was given. */
  link(): void {}

  clear(): void {
    this.#owners.clear();
  }

  /** No site calls any of them any more: threads forget them. */
  end(): void {
    if (!this.#isUsed) return;
    for (const thread of this.#threads) thread.post({ type: 'service', kind: 'ipmodify' });
  }
}
