import { TraceError } from '../../base/errno.js';
import { type FunctionNames, functionNames } from '../../ftrace/function-match.js';
import type { FtraceOps } from '../../ftrace/ops.js';
import { updateRecords, wantedBy } from '../../ftrace/plan.js';
import { DynFtraceRecords } from '../../ftrace/records.js';
import { MOST_BREAKPOINTS } from '../../port/limits.js';
import type { AnnouncedText, PatchedSites, TextAnnouncement, TracedThread } from '../../port/port.js';
import { SitePatches } from './site-patches.js';
import type { FunctionRange, TextTable } from './text-table.js';

const rangeOf = ({ firstFunction, functionCount }: TextAnnouncement): FunctionRange => ({
  firstFunction,
  end: firstFunction + functionCount,
});

/** The patch sites of the process: a record of each function, and what each thread's sites call. */
export class ProcessSites {
  readonly records = new DynFtraceRecords();
  readonly #table: TextTable;
  readonly #sites = new Map<PatchedSites, SitePatches>();

  constructor(table: TextTable) {
    this.#table = table;
  }

  addThread(thread: TracedThread): void {
    let patches = this.#sites.get(thread.sites);
    if (patches === undefined) {
      patches = new SitePatches(thread.sites);
      this.#sites.set(thread.sites, patches);
    }
    patches.threads.add(thread);
  }

  removeThread(thread: TracedThread): void {
    const patches = this.#sites.get(thread.sites);
    patches?.threads.delete(thread);
    if (patches?.threads.size === 0) this.#sites.delete(thread.sites);
  }

  /** A thread loaded a text, or had loaded it before fentry was attached: its sites are NOPs. */
  link({ thread, link }: AnnouncedText): void {
    this.#sites.get(thread.sites)?.link(rangeOf(link));
  }

  /** Creates records for the newly announced texts; returns their functions that can be traced. */
  decode(): readonly number[] {
    const linked: number[] = [];
    for (const { firstFunction, functions, isLoadedBefore } of this.#table.decode()) {
      this.records.link(firstFunction, functions, isLoadedBefore);
      functions.forEach((one, index) => {
        if (one.reason === undefined) linked.push(firstFunction + index);
      });
    }
    return linked;
  }

  /** The functions as a filter sees them. */
  names(): FunctionNames {
    const table = this.#table;
    return functionNames(
      table.numbers().filter((n) => table.function(n).reason === undefined),
      (n) => table.name(n),
      (n) => table.module(n),
    );
  }

  /** Updates every record, and the sites of every thread, to what `ops` want. */
  patch(ops: readonly FtraceOps[]): void {
    const wanted = wantedBy(this.records, ops, this.records.count);
    updateRecords(this.records, wanted);
    for (const patches of this.#sites.values()) patches.apply(this.records, ops, wanted, this.#table);
  }

  /** Tells threads the addresses of all functions: they look for one by its number. */
  describe(): void {
    for (const patches of this.#sites.values()) patches.describe(this.#table);
  }

  /** Does the same for one text, on the thread that loaded it. */
  describeText({ thread, link }: AnnouncedText): void {
    this.#sites.get(thread.sites)?.describe(this.#table, [rangeOf(link)]);
  }

  /** Patches one text, on the thread that loaded it. */
  patchText({ thread, link }: AnnouncedText, ops: readonly FtraceOps[]): void {
    this.#sites.get(thread.sites)?.applyTo(rangeOf(link), this.records, ops, this.#table);
  }

  /** Does the same for the records of functions that were linked; their sites follow with their text. */
  record(linked: readonly number[], ops: readonly FtraceOps[]): void {
    const from = linked.reduce((least, n) => Math.min(least, n), Number.POSITIVE_INFINITY);
    const to = linked.reduce((most, n) => Math.max(most, n), 0) + 1;
    updateRecords(this.records, wantedBy(this.records, ops, to - from), from, to);
  }

  /** The number of functions that only breakpoints can reach. */
  get countLoadedBefore(): number {
    return this.#table.numbers().filter((n) => this.records.isLoadedBefore(n)).length;
  }

  /**
   * A filter or a script is about to name functions: those that need breakpoints may have them, even if they had too many hits
   * before.
   * @throws TraceError ENOSPC, as for hardware breakpoints, if there are too many
   */
  admitBreakpoints(functions: ReadonlySet<number>): void {
    const before = [...functions].filter((n) => this.records.isLoadedBefore(n));
    if (before.length > MOST_BREAKPOINTS) {
      throw new TraceError(
        'ENOSPC',
        `${before.length} of these functions were loaded before fentry and need breakpoints: at most ${MOST_BREAKPOINTS} functions can have them`,
      );
    }
    for (const n of before) this.records.setOverheated(n, false);
  }
}
