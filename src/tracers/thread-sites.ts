import { COROUTINE_KINDS, FUNCTION_KINDS } from '../arch/arch.js';
import { grown } from '../base/grown.js';
import type { Patches } from '../ftrace/plan.js';
import type { Cells } from './cells.js';
import type { TracerContext } from './context.js';
import { createTrampolines, type EntryFunction, type Trampolines } from './entry.js';
import { createListEntry } from './list.js';
import { parentsByAny } from './outputs.js';

/** Told of the first site that is patched, before it is, and of the last one that becomes a NOP, after it has. */
export interface SitesListener {
  begin(): void;
  end(): void;
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
  #armed = 0;

  constructor(ctx: TracerContext, cells: Cells, listener: SitesListener) {
    this.#cells = cells;
    this.#listener = listener;
    const entry = createListEntry(this.#entries, () => this.#masks);
    this.#list = createTrampolines(ctx, entry, parentsByAny(ctx));
  }

  /** Functions first, first + 1, ... are there, as NOPs. `kinds` are indices into FUNCTION_KINDS. */
  link(first: number, kinds: Uint8Array): void {
    this.#masks = grown(this.#masks, first + kinds.length);
    if (this.#isCoroutine.length < this.#masks.length) {
      const larger = new Uint8Array(this.#masks.length);
      larger.set(this.#isCoroutine);
      this.#isCoroutine = larger;
    }
    for (let i = 0; i < kinds.length; i++) this.#isCoroutine[first + i] = IS_COROUTINE[kinds[i]!] ? 1 : 0;
  }

  /** Whether an ops has been given what serves it. */
  isServed(id: number): boolean {
    return this.#trampolines[id] !== undefined;
  }

  /** Has an ops served by an entry, and by trampolines where a site calls it alone: those sites get them at once. */
  serve(id: number, entry: EntryFunction, trampolines: Trampolines): void {
    const isSame = this.#trampolines[id] === trampolines;
    this.#entries[id] = entry;
    this.#trampolines[id] = trampolines;
    if (isSame) return;
    const alone = 1 << id;
    for (let n = 0; n < this.#masks.length; n++) if (this.#masks[n] === alone) this.#patch(n, alone);
  }

  /** Has nothing called in the name of an ops, whatever its sites still do until they are patched. */
  drop(id: number): void {
    this.#entries[id] = undefined;
    this.#trampolines[id] = undefined;
  }

  apply({ functions, masks }: Patches): void {
    let after = this.#armed;
    for (let i = 0; i < functions.length; i++) {
      if (this.#masks[functions[i]!] !== 0) after--;
      if (masks[i] !== 0) after++;
    }
    if (this.#armed === 0 && after > 0) this.#listener.begin();
    for (let i = 0; i < functions.length; i++) this.#patch(functions[i]!, masks[i]!);
    if (this.#armed > 0 && after === 0) this.#listener.end();
    this.#armed = after;
  }

  /** Makes every site a NOP. */
  disarm(): void {
    const functions: number[] = [];
    for (let n = 0; n < this.#masks.length; n++) if (this.#masks[n] !== 0) functions.push(n);
    this.apply({ functions: Uint32Array.from(functions), masks: new Uint32Array(functions.length) });
  }

  #patch(n: number, mask: number): void {
    this.#masks[n] = mask;
    if (mask === 0) {
      this.#cells.disarm(n);
      return;
    }
    const isAlone = (mask & (mask - 1)) === 0;
    const chosen = (isAlone ? this.#trampolines[31 - Math.clz32(mask)] : undefined) ?? this.#list;
    this.#cells.arm(n, this.#isCoroutine[n] === 1 ? chosen.coroutine : chosen.sync);
  }
}
