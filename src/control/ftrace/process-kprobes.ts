import { createOps, type FtraceOps, OPS_ID } from '../../ftrace/ops.js';
import type { TracedThread } from '../../port/port.js';
import { isAtSites, type PointChange, type PointConfig } from '../../probes/probe-point.js';
import type { OpsOwner } from './ops-owner.js';
import type { TextTable } from './text-table.js';

/** A probe that was put into the program. */
export interface PlacedKprobe {
  /** Whether its values have symbols as text. */
  readonly needsSymbols: boolean;
  /** Whether it may stand in functions and texts that are linked later. */
  readonly mayGrow: boolean;
  /** What the threads are told, for the functions that there are now; it is asked again when functions were linked. */
  points(): readonly PointConfig[];
  /** Takes functions that were linked; returns whether any is one of the probe's. */
  link(linked: readonly number[]): boolean;
}

/** Whether texts are read as they are linked, because a point stands at sites or at a breakpoint. */
const isInCode = ({ place }: PointConfig): boolean => isAtSites(place) || place.kind === 'breakpoint';

/** The callback of every probe at a site, as enabled_functions names it. */
const CALLBACK = 'kprobe_ftrace_handler';

/** The probes that are on: tells the threads of them, and has the sites of their functions call them. */
export class ProcessKprobes implements OpsOwner {
  readonly #threads: Iterable<TracedThread>;
  readonly #table: TextTable;
  readonly #named: (n: number) => void;
  /** How many symbols threads have; 0: no probe has an argument of type symstr. */
  #symbolsTold = 0;
  /** Each with the instances that want it. */
  readonly #armed = new Map<PlacedKprobe, { readonly instances: Set<number>; points: readonly PointConfig[] }>();
  /** Absent: some probe has changed since. */
  #ops: readonly FtraceOps[] | undefined;
  #isHalted = false;
  /** How many of the probes that are on need symbols. */
  #needingSymbols = 0;

  /**
   * @param threads the living threads, which are told
   * @param named a probe names the function: if it needs breakpoints it may have them again
   */
  constructor(threads: Iterable<TracedThread>, table: TextTable, named: (n: number) => void) {
    this.#threads = threads;
    this.#table = table;
    this.#named = named;
  }

  /** Whether threads are told of any (kprobes/enabled). */
  get areArmed(): boolean {
    return !this.#isHalted;
  }

  /** All are halted, or go on. Sites follow when the ops are planned again. */
  halt(isHalted: boolean): void {
    if (isHalted === this.#isHalted) return;
    this.#isHalted = isHalted;
    this.#ops = undefined;
    for (const { points } of this.#armed.values()) {
      for (const point of points) this.#tell(isHalted ? { type: 'remove', id: point.id } : { type: 'add', point }, true);
    }
  }

  /** Whether any instance wants the probe. */
  isWanted(probe: PlacedKprobe): boolean {
    return this.#armed.has(probe);
  }

  /** An instance wants the probe from now on, or does not. Sites follow when the ops are planned again. */
  want(probe: PlacedKprobe, instance: number, isWanted: boolean): void {
    const armed = this.#armed.get(probe);
    if (isWanted) {
      if (armed !== undefined) armed.instances.add(instance);
      else this.#arm(probe, instance);
      return;
    }
    armed?.instances.delete(instance);
    if (armed === undefined || armed.instances.size > 0) return;
    this.#armed.delete(probe);
    if (probe.needsSymbols) this.#needingSymbols--;
    this.#ops = undefined;
    for (const { id } of armed.points) this.#tell({ type: 'remove', id });
    this.#tellSymbols();
  }

  /** The points of a probe have changed their places, and kept their ids. */
  moved(probe: PlacedKprobe): void {
    const armed = this.#armed.get(probe);
    if (armed === undefined) return;
    armed.points = probe.points();
    for (const point of armed.points) this.#tell({ type: 'add', point });
  }

  /** None is on any more. */
  clear(): void {
    for (const { points } of this.#armed.values()) for (const { id } of points) this.#tell({ type: 'remove', id });
    this.#armed.clear();
    this.#needingSymbols = 0;
    this.#ops = undefined;
    this.#tellSymbols();
  }

  get ops(): readonly FtraceOps[] {
    this.#ops ??= this.#plan();
    return this.#ops;
  }

  #plan(): readonly FtraceOps[] {
    if (this.#isHalted) return [];
    const functions = new Set<number>();
    for (const { points } of this.#armed.values()) {
      for (const { place } of points) {
        if (isAtSites(place)) for (const n of place.functions) functions.add(n);
      }
    }
    const words = [...this.#armed].flatMap(([probe, { points }]) => (probe.mayGrow || points.some(isInCode) ? [probe] : []));
    if (words.length === 0) return [];
    const filter = { functions, words };
    return [{ ...createOps(OPS_ID.KPROBE, CALLBACK), filter, enabled: true }];
  }

  link(_names: unknown, linked: readonly number[]): void {
    for (const [probe, armed] of this.#armed) {
      if (!probe.link(linked)) continue;
      armed.points = probe.points();
      this.#ops = undefined;
      for (const point of armed.points) this.#tell({ type: 'add', point });
    }
  }

  /** Whether threads are told of the symbols of all texts, as they come. */
  get tellsSymbols(): boolean {
    return this.#symbolsTold > 0;
  }

  /** Texts were decoded. */
  named(): void {
    if (this.tellsSymbols) this.#tellMoreSymbols();
  }

  addThread(thread: TracedThread): void {
    if (this.#symbolsTold > 0)
      tell(thread, { type: 'symbols', symbols: this.#table.symbols().from(0).slice(0, this.#symbolsTold) });
    if (this.#isHalted) return;
    for (const { points } of this.#armed.values()) for (const point of points) tell(thread, { type: 'add', point });
  }

  #arm(probe: PlacedKprobe, instance: number): void {
    const points = probe.points();
    for (const { place } of points) if (isAtSites(place)) for (const n of place.functions) this.#named(n);
    this.#ops = undefined;
    this.#armed.set(probe, { instances: new Set([instance]), points });
    if (probe.needsSymbols) this.#needingSymbols++;
    this.#tellSymbols();
    for (const point of points) this.#tell({ type: 'add', point });
  }

  /** Threads get the symbols for the first probe that needs them, and forget them after the last. */
  #tellSymbols(): void {
    const areNeeded = this.#needingSymbols > 0;
    if (areNeeded === this.#symbolsTold > 0) return;
    if (areNeeded) this.#tellMoreSymbols();
    else {
      this.#symbolsTold = 0;
      this.#tell({ type: 'symbols', symbols: [] }, true);
    }
  }

  #tellMoreSymbols(): void {
    const table = this.#table.symbols();
    if (table.size === this.#symbolsTold) return;
    this.#tell({ type: 'symbols', symbols: table.from(this.#symbolsTold) }, true);
    this.#symbolsTold = table.size;
  }

  #tell(change: PointChange, always = false): void {
    if (this.#isHalted && !always) return;
    for (const thread of this.#threads) tell(thread, change);
  }
}

const tell = (thread: TracedThread, config: PointChange): void => void thread.post({ type: 'service', kind: 'kprobe', config });
