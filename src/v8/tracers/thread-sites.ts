import { grown } from '../../base/grown.js';
import { SafeMap, SafeSet } from '../../base/safe-map.js';
import { NO_OPS, type OpsList } from '../../ftrace/ops-lists.js';
import type { Patches } from '../../ftrace/plan.js';
import { isCoroutine } from '../js-text.js';
import type { PortCells, Trampoline } from './cells.js';
import {
  type AroundTrampolines,
  type Callee,
  createListEntry,
  createTrampolines,
  type EntryFunction,
  IGNORED,
  type Trampolines,
} from './entry.js';
import type { ThreadTrace } from './thread-trace.js';

/** Called before the first site is patched, and after the last one has become a NOP. */
export interface SitesListener {
  begin(): void;
  end(): void;
}

/** Whether the time for patching is over. */
export type IsOver = () => boolean;

/** How many sites are patched between two checks of the time: some ten microseconds. */
const SITES_PER_LOOK = 16;

/** Sites that are being patched: to lists of their own, or all to the list that they call. */
interface Patching {
  readonly functions: ArrayLike<number>;
  readonly listOf: (index: number) => number;
  readonly added: readonly OpsList[];
  /** How many of `functions` are done. */
  done: number;
}

/** An ops as the sites call it. */
interface SiteOps extends Callee {
  entry: EntryFunction;
  /** For sites that call it alone; undefined if nothing serves it. */
  trampolines: Trampolines | undefined;
  /** What it does around the trampolines of lists that contain it. */
  around: AroundTrampolines | undefined;
  /** Number of the list of this ops alone, or NO_OPS. */
  alone: number;
  /** How many lists contain it. */
  lists: number;
}

/** A list of ops as the sites call it. */
interface SiteList {
  readonly ids: readonly number[];
  readonly ops: readonly SiteOps[];
  /** The list's own, if it has several ops. */
  readonly trampolines: Trampolines | undefined;
  /** How many sites call it. */
  sites: number;
}

const NONE: readonly OpsList[] = [];
const ignore: EntryFunction = () => IGNORED;
/** At most one ops of a function replaces it. */
const aroundOf = (ops: readonly SiteOps[]): AroundTrampolines | undefined =>
  ops.find(({ around }) => around !== undefined)?.around;

/** The patch sites of one thread: which list of ops each of them calls, and by which trampolines. */
export class ThreadSites {
  readonly #ctx: ThreadTrace;
  readonly #cells: PortCells;
  readonly #listener: SitesListener;
  /** By id. */
  readonly #ops = new SafeMap<number, SiteOps>();
  /** By number. */
  readonly #lists: (SiteList | undefined)[] = [];
  /** Lists that lost a site during this plan. */
  readonly #left = new SafeSet<number>();
  /** For sites whose ops is not served. */
  readonly #nothing: Trampolines;
  readonly #parents: { config: { parents: boolean } } = { config: { parents: false } };
  /** The number of its list, by function number. */
  #calls: Uint32Array<ArrayBuffer> = new Uint32Array(1024);
  #isCoroutine = new Uint8Array(1024);
  /** The number of armed sites, including those that are being patched. */
  #armed = 0;
  /** The listener was called for a first site, and not yet for the last. */
  #isOn = false;
  readonly #pending: Patching[] = [];

  constructor(ctx: ThreadTrace, cells: PortCells, listener: SitesListener) {
    this.#ctx = ctx;
    this.#cells = cells;
    this.#listener = listener;
    this.#nothing = createTrampolines(ctx, ignore);
  }

  /** Adds functions first, first + 1, ..., as NOPs. `kinds` are numbers of FUNCTION_KIND. */
  link(first: number, kinds: Uint8Array): void {
    this.#calls = grown(this.#calls, first + kinds.length);
    if (this.#isCoroutine.length < this.#calls.length) {
      const larger = new Uint8Array(this.#calls.length);
      larger.set(this.#isCoroutine);
      this.#isCoroutine = larger;
    }
    for (let i = 0; i < kinds.length; i++) this.#isCoroutine[first + i] = isCoroutine(kinds[i]!) ? 1 : 0;
  }

  /** Whether any site calls anyone. */
  get isOn(): boolean {
    return this.#isOn;
  }

  /** What the site of function `n` calls; undefined: it is a NOP. */
  trampolineOf(n: number): Trampoline | undefined {
    const list = this.#lists[this.#calls[n]!];
    if (list === undefined) return undefined;
    const chosen = list.trampolines ?? list.ops[0]!.trampolines ?? this.#nothing;
    return this.#isCoroutine[n] === 1 ? chosen.coroutine : chosen.sync;
  }

  /** Whether an ops has been given what serves it. */
  isServed(id: number): boolean {
    return this.#ops.get(id)?.trampolines !== undefined;
  }

  /** Whether the trampolines of lists find callers before their ops' entries. */
  findParents(wanted: boolean): void {
    this.#parents.config.parents = wanted;
  }

  /** Sets the entry of an ops, and its trampolines for sites that call only this ops: `proceed` sets these sites. */
  serve(id: number, entry: EntryFunction, trampolines: Trampolines, around?: AroundTrampolines): void {
    const ops = this.#opsOf(id);
    const isSame = ops.trampolines === trampolines;
    ops.entry = entry;
    ops.trampolines = trampolines;
    ops.around = around;
    if (isSame || ops.alone === NO_OPS) return;
    const functions: number[] = [];
    for (let n = 0; n < this.#calls.length; n++) if (this.#calls[n] === ops.alone) functions.push(n);
    this.#put(functions, (index) => this.#calls[functions[index]!]!);
  }

  /** Stops all calls for an ops, whatever its sites still do until they are patched. */
  drop(id: number): void {
    const ops = this.#ops.get(id);
    if (ops === undefined) return;
    ops.entry = ignore;
    ops.trampolines = undefined;
    this.#forgetOps(id, ops);
  }

  /** Adds patches, which `proceed` applies. */
  apply({ functions, lists, added }: Patches): void {
    this.#put(functions, (index) => lists[index]!, added);
  }

  /**
   * Applies the added patches in their order, until the time is over. A site that is not patched yet calls what it called
   * before.
   * @returns whether all are applied
   */
  proceed(isOver: IsOver): boolean {
    for (;;) {
      const [patching] = this.#pending;
      if (patching === undefined) return true;
      if (!this.#proceedWith(patching, isOver)) return false;
      this.#pending.shift();
    }
  }

  /** Makes every site a NOP, at once. */
  disarm(): void {
    this.#pending.length = 0;
    for (let n = 0; n < this.#calls.length; n++) if (this.#calls[n] !== NO_OPS) this.#patch(n, NO_OPS);
    this.#armed = 0;
    this.#end();
  }

  #put(functions: ArrayLike<number>, listOf: (index: number) => number, added = NONE): void {
    if (functions.length > 0) this.#pending.push({ functions, listOf, added, done: 0 });
  }

  #proceedWith(patching: Patching, isOver: IsOver): boolean {
    const { functions, listOf } = patching;
    if (patching.done === 0) this.#begin(patching);
    while (patching.done < functions.length) {
      const end = Math.min(patching.done + SITES_PER_LOOK, functions.length);
      while (patching.done < end) {
        const index = patching.done++;
        this.#patch(functions[index]!, listOf(index));
      }
      if (isOver()) return false;
    }
    this.#end();
    return true;
  }

  /** Counts the sites that will be armed: in between there may be none of the old ones, and none yet of the new ones. */
  #begin(patching: Patching): void {
    const { functions, listOf, added } = patching;
    for (const list of added) this.#add(list);
    let after = this.#armed;
    for (let i = 0; i < functions.length; i++) {
      if (this.#calls[functions[i]!] !== NO_OPS) after--;
      if (listOf(i) !== NO_OPS) after++;
    }
    this.#armed = after;
    if (this.#isOn || after === 0) return;
    this.#isOn = true;
    this.#listener.begin();
  }

  #end(): void {
    for (const list of this.#left) this.#forget(list);
    this.#left.clear();
    if (!this.#isOn || this.#armed > 0) return;
    this.#isOn = false;
    this.#listener.end();
  }

  #add({ list, ops: ids }: OpsList): void {
    const ops = ids.map((id) => this.#opsOf(id));
    const isOne = ops.length === 1;
    const entry = createListEntry(ops, this.#ctx.fgraph.exitLists);
    const trampolines = isOne ? undefined : createTrampolines(this.#ctx, entry, this.#parents, aroundOf(ops));
    this.#lists[list] = { ids, ops, trampolines, sites: 0 };
    for (const one of ops) one.lists++;
    if (isOne) ops[0]!.alone = list;
  }

  /** Forgets a list if no site calls it. */
  #forget(number: number): void {
    const list = this.#lists[number];
    if (list === undefined || list.sites > 0) return;
    this.#lists[number] = undefined;
    list.ops.forEach((ops, index) => {
      ops.lists--;
      if (ops.alone === number) ops.alone = NO_OPS;
      this.#forgetOps(list.ids[index]!, ops);
    });
  }

  #forgetOps(id: number, ops: SiteOps): void {
    if (ops.lists === 0 && ops.trampolines === undefined) this.#ops.delete(id);
  }

  #opsOf(id: number): SiteOps {
    let ops = this.#ops.get(id);
    if (ops === undefined) {
      ops = { entry: ignore, trampolines: undefined, around: undefined, alone: NO_OPS, lists: 0 };
      this.#ops.set(id, ops);
    }
    return ops;
  }

  #patch(n: number, number: number): void {
    const before = this.#calls[n]!;
    this.#calls[n] = number;
    if (before !== NO_OPS) {
      this.#lists[before]!.sites--;
      this.#left.add(before);
    }
    if (number !== NO_OPS) this.#lists[number]!.sites++;
    const trampoline = this.trampolineOf(n);
    if (trampoline === undefined) this.#cells.disarm(n);
    else this.#cells.arm(n, trampoline);
  }
}
