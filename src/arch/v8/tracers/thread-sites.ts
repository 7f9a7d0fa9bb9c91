import { grown } from '../../../base/grown.js';
import type { Patches } from '../../../ftrace/plan.js';
import { COROUTINE_KINDS, FUNCTION_KINDS } from '../js-text.js';
import type { Cells, Trampoline } from './cells.js';
import type { TracerContext } from './context.js';
import { createTrampolines, type EntryFunction, type Trampolines } from './entry.js';
import { createListEntry } from './list.js';
import { parentsByAny } from './outputs.js';

/** Called before the first site is patched, and after the last one has become a NOP. */
export interface SitesListener {
  begin(): void;
  end(): void;
}

/** Whether the time for patching is over. */
export type IsOver = () => boolean;

/** How many sites are patched between two checks of the time: some ten microseconds. */
const SITES_PER_LOOK = 16;

/** Sites that are being patched: to masks of their own, or all to that of the one ops that they call. */
interface Patching {
  readonly functions: ArrayLike<number>;
  readonly maskOf: (index: number) => number;
  /** How many of `functions` are done. */
  done: number;
}

const IS_COROUTINE: readonly boolean[] = FUNCTION_KINDS.map((kind) => COROUTINE_KINDS.has(kind));

/** The patch sites of one thread: which ops each of them calls, and by which trampolines. */
export class ThreadSites {
  readonly #cells: Cells;
  readonly #listener: SitesListener;
  /** By ops id. */
  readonly #entries: (EntryFunction | undefined)[] = [];
  readonly #trampolines: (Trampolines | undefined)[] = [];
  readonly #list: Trampolines;
  /** By function number. */
  #masks: Uint32Array<ArrayBuffer> = new Uint32Array(1024);
  #isCoroutine = new Uint8Array(1024);
  /** The number of armed sites, including those that are being patched. */
  #armed = 0;
  /** The listener was called for a first site, and not yet for the last. */
  #isOn = false;
  readonly #pending: Patching[] = [];

  constructor(ctx: TracerContext, cells: Cells, listener: SitesListener) {
    this.#cells = cells;
    this.#listener = listener;
    const entry = createListEntry(this.#entries, () => this.#masks);
    this.#list = createTrampolines(ctx, entry, parentsByAny(ctx));
  }

  /** Adds functions first, first + 1, ..., as NOPs. `kinds` are indices into FUNCTION_KINDS. */
  link(first: number, kinds: Uint8Array): void {
    this.#masks = grown(this.#masks, first + kinds.length);
    if (this.#isCoroutine.length < this.#masks.length) {
      const larger = new Uint8Array(this.#masks.length);
      larger.set(this.#isCoroutine);
      this.#isCoroutine = larger;
    }
    for (let i = 0; i < kinds.length; i++) this.#isCoroutine[first + i] = IS_COROUTINE[kinds[i]!] ? 1 : 0;
  }

  /** Whether any site calls anyone. */
  get isOn(): boolean {
    return this.#isOn;
  }

  /** What the site of function `n` calls; undefined: it is a NOP. */
  trampolineOf(n: number): Trampoline | undefined {
    const mask = this.#masks[n]!;
    if (mask === 0) return undefined;
    const isAlone = (mask & (mask - 1)) === 0;
    const chosen = (isAlone ? this.#trampolines[31 - Math.clz32(mask)] : undefined) ?? this.#list;
    return this.#isCoroutine[n] === 1 ? chosen.coroutine : chosen.sync;
  }

  /** Whether an ops has been given what serves it. */
  isServed(id: number): boolean {
    return this.#trampolines[id] !== undefined;
  }

  /** Sets the entry of an ops, and its trampolines for sites that call only this ops: `proceed` sets these sites. */
  serve(id: number, entry: EntryFunction, trampolines: Trampolines): void {
    const isSame = this.#trampolines[id] === trampolines;
    this.#entries[id] = entry;
    this.#trampolines[id] = trampolines;
    if (isSame) return;
    const alone = 1 << id;
    const functions: number[] = [];
    for (let n = 0; n < this.#masks.length; n++) if (this.#masks[n] === alone) functions.push(n);
    this.#put(functions, (index) => this.#masks[functions[index]!]!);
  }

  /** Stops all calls for an ops, whatever its sites still do until they are patched. */
  drop(id: number): void {
    this.#entries[id] = undefined;
    this.#trampolines[id] = undefined;
  }

  /** Adds patches, which `proceed` applies. */
  apply({ functions, masks }: Patches): void {
    this.#put(functions, (index) => masks[index]!);
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
    for (let n = 0; n < this.#masks.length; n++) if (this.#masks[n] !== 0) this.#patch(n, 0);
    this.#armed = 0;
    this.#end();
  }

  #put(functions: ArrayLike<number>, maskOf: (index: number) => number): void {
    if (functions.length > 0) this.#pending.push({ functions, maskOf, done: 0 });
  }

  #proceedWith(patching: Patching, isOver: IsOver): boolean {
    const { functions, maskOf } = patching;
    if (patching.done === 0) this.#begin(patching);
    while (patching.done < functions.length) {
      const end = Math.min(patching.done + SITES_PER_LOOK, functions.length);
      while (patching.done < end) {
        const index = patching.done++;
        this.#patch(functions[index]!, maskOf(index));
      }
      if (isOver()) return false;
    }
    this.#end();
    return true;
  }

  /** Counts the sites that will be armed: in between there may be none of the old ones, and none yet of the new ones. */
  #begin(patching: Patching): void {
    const { functions, maskOf } = patching;
    let after = this.#armed;
    for (let i = 0; i < functions.length; i++) {
      if (this.#masks[functions[i]!] !== 0) after--;
      if (maskOf(i) !== 0) after++;
    }
    this.#armed = after;
    if (this.#isOn || after === 0) return;
    this.#isOn = true;
    this.#listener.begin();
  }

  #end(): void {
    if (!this.#isOn || this.#armed > 0) return;
    this.#isOn = false;
    this.#listener.end();
  }

  #patch(n: number, mask: number): void {
    this.#masks[n] = mask;
    const trampoline = this.trampolineOf(n);
    if (trampoline === undefined) this.#cells.disarm(n);
    else this.#cells.arm(n, trampoline);
  }
}
