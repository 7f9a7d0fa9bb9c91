import { type FunctionFilter, filterLinked } from '../../ftrace/function-filter.js';
import type { FunctionNames } from '../../ftrace/function-match.js';
import { EMPTY_HASH } from '../../ftrace/hash.js';
import { createOps, FTRACE_OPS_FL, type FtraceOps, OPS_ID } from '../../ftrace/ops.js';
import type { DiversionChange } from '../../ftrace/tracers/diversions.js';
import type { TracedThread } from '../../port/port.js';
import type { OpsOwner } from './ops-owner.js';

/** An owner of functions that may have other code run in place of their own (FTRACE_OPS_FL_IPMODIFY). */
interface DiversionOwner {
  readonly ops: FtraceOps;
  /** What a thread must know about it, in this order. */
  readonly changes: readonly DiversionChange[];
}

/** The callback by which enabled_functions names what only follows calls. */
const FOLLOWS = 'klp_follow';

/** What replaces functions of the process: each function has at most one owner. */
export class ProcessDiversions implements OpsOwner {
  readonly #threads: Iterable<TracedThread>;
  /** By name. */
  readonly #owners = new Map<string, DiversionOwner>();
  /** Functions whose calls are followed before any patch replaces them. */
  #followed: FunctionFilter = EMPTY_HASH;
  readonly #canDivert: (n: number) => boolean;
  #isUsed = false;

  /**
   * @param threads the living threads, which are told
   * @param canDivert whether other code may run in place of a function
   */
  constructor(threads: Iterable<TracedThread>, canDivert: (n: number) => boolean) {
    this.#threads = threads;
    this.#canDivert = canDivert;
  }

  get ops(): readonly FtraceOps[] {
    const owned = Array.from(this.#owners.values(), ({ ops }) => ops);
    const { words } = this.#followed;
    if (words.length === 0) return owned;
    // A site calls each number once.
    const isOwned = (n: number): boolean => owned.some(({ filter }) => filter.functions.has(n));
    const functions = new Set(this.followed.filter((n) => !isOwned(n)));
    const ops = createOps(OPS_ID.IPMODIFY, FOLLOWS, FTRACE_OPS_FL.SAVE_REGS);
    // Words that wait for functions keep the filter from meaning every function.
    return [...owned, { ...ops, filter: { functions, words }, enabled: true }];
  }

  /** The functions whose calls are followed. */
  get followed(): readonly number[] {
    return [...this.#followed.functions].filter(this.#canDivert);
  }

  /** Follows the calls of these functions, in place of those that were followed. Sites follow with the next plan. */
  follow(filter: FunctionFilter): void {
    this.#followed = filter;
    this.tell({ type: 'follow', functions: [] });
    const { followed } = this;
    if (followed.length > 0) this.tell({ type: 'follow', functions: followed });
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
    const { followed } = this;
    if (followed.length > 0) thread.post({ type: 'service', kind: 'ipmodify', config: { type: 'follow', functions: followed } });
    for (const { changes } of this.#owners.values()) {
      for (const config of changes) thread.post({ type: 'service', kind: 'ipmodify', config });
    }
  }

  /** The functions of an owner are those that it was given; others may be followed. */
  link(names: () => FunctionNames, linked: readonly number[]): void {
    if (this.#followed.words.length === 0) return;
    const before = this.#followed.functions;
    this.#followed = filterLinked(this.#followed, names(), linked);
    const functions = this.followed.filter((n) => !before.has(n));
    if (functions.length > 0) this.tell({ type: 'follow', functions });
  }

  clear(): void {
    this.#owners.clear();
    this.#followed = EMPTY_HASH;
  }

  /** No site calls any of them any more: threads forget them. */
  end(): void {
    if (!this.#isUsed) return;
    for (const thread of this.#threads) thread.post({ type: 'service', kind: 'ipmodify' });
  }
}
