import { create, defineProperty, isExtensible, nativeOwnKeys } from './primordials.js';

type Cell = (this: unknown, ...args: never[]) => unknown;

/** The cells of one text. */
export interface CellRange {
  readonly prefix: string;
  readonly first: number;
  readonly count: number;
  /** Each function also has a cell for the sites of its statements. */
  readonly hasStatements?: boolean | undefined;
}

/** A run of functions whose cells were defined together: one loaded text. */
interface DefinedRange {
  readonly first: number;
  readonly end: number;
  readonly prefix: string;
  readonly hasStatements: boolean;
  /** The cells' names in blocks, each created when the first of its cells is armed. */
  names?: (readonly string[])[];
  /** By function: 1 for a cell that was written back and is not renewed yet. Undefined if there are none. */
  used?: Uint8Array | undefined;
}

/** What stands behind the prefix in the name of the cell of function `n`'s statements. */
export const statementsCell = (n: number): string => `l${n}`;

/** log2 of the cells in a block: all names of a large text at once would take tens of milliseconds. */
const BLOCK_BITS = 8;
const BLOCK = 1 << BLOCK_BITS;

const idle = (): PropertyDescriptor => ({ value: 0, writable: true, enumerable: false, configurable: true });
/** Created once: a descriptor literal for each cell that is renewed costs a tenth of the time. */
const IDLE: PropertyDescriptor = Object.assign(create(null) as PropertyDescriptor, idle());
/** Renewing takes a fifth less time with it. It may be used only while the program has given no object a `get` or `set`. */
const PLAIN_IDLE: PropertyDescriptor = idle();
const idleDescriptor = (): PropertyDescriptor => ('get' in PLAIN_IDLE || 'set' in PLAIN_IDLE ? IDLE : PLAIN_IDLE);

/** Cells that are renewed between two looks at the time: some microseconds. */
const CELLS_PER_LOOK = 16;

/**
 * The names of a range's cells as V8 has them in the global object's own table. A name that is composed for each access is
 * hashed and looked up there first: arming took 290 ns a site with it and 100 without, disarming 1060 and 770.
 */
function cellNames(first: number, end: number, prefix: string): readonly string[] {
  const table = create(null) as Record<string, 0>;
  for (let n = first; n < end; n++) table[prefix + n] = 0;
  return nativeOwnKeys(table) as string[];
}

/**
 * The patch sites of one realm. Each function's site reads a property of the global object, its cell: 0 is the NOP, which
 * V8 folds away; a function is the call. See docs for what V8 does with each state.
 */
export class Cells {
  readonly #global: Record<string, unknown>;
  readonly #ranges: DefinedRange[] = [];
  readonly #prefixes: string[] = [];
  /** `d` is read by idle sites too (in every `try`), so it must be there from the start: V8 folds no property that is missing. */
  readonly #calls: Record<string, unknown> = { __proto__: null, d: 0 } as never;
  #last: DefinedRange | undefined;
  /** How many cells were written back and are not renewed yet. */
  #used = 0;

  constructor(global: object) {
    this.#global = global as Record<string, unknown>;
  }

  /** Prefixes in use, to distinguish the cells' names from the program's own. */
  get prefixes(): readonly string[] {
    return this.#prefixes;
  }

  /**
   * Defines the cells `prefix + first` to `prefix + (first + count - 1)` as NOPs, and the prefix's call cells.
   * Returns false when the global object takes no new properties: the text must then run without sites.
   * @param hasStatements define a cell for the statements of each function, too
   */
  define(prefix: string, first: number, count: number, hasStatements = false): boolean {
    const { first: known } = this.#rangeOf(first) ?? {};
    if (known === first) return true;
    if (!isExtensible(this.#global)) return false;
    const descriptor = idle();
    try {
      this.#addPrefix(prefix);
      for (let n = first, end = first + count; n < end; n++) {
        defineProperty(this.#global, prefix + n, descriptor);
        if (hasStatements) defineProperty(this.#global, prefix + statementsCell(n), descriptor);
      }
    } catch {
      return false;
    }
    this.#insert({ first, end: first + count, prefix, hasStatements });
    return true;
  }

  /** Whether this realm has loaded the text of function `n`. */
  has(n: number): boolean {
    return this.#rangeOf(n) !== undefined;
  }

  /** Calls `tell` with each armed function of first, first + 1, ..., and what its site calls. */
  armedIn(first: number, count: number, tell: (n: number, cell: Cell) => void): void {
    const range = this.#rangeOf(first);
    for (let n = first; range !== undefined && n < first + count; n++) {
      const value = this.#global[this.#name(range, n)];
      if (typeof value === 'function') tell(n, value as Cell);
    }
  }

  /** Makes function `n`'s site call `cell`. Returns false if the realm has no such function or its global object is frozen. */
  arm(n: number, cell: Cell): boolean {
    const range = this.#rangeOf(n);
    return range !== undefined && this.#write(this.#name(range, n), cell);
  }

  /**
   * Makes function `n`'s site a NOP again. Until `renew` it keeps a load and a test in optimized code: a cell that is written is
   * no constant for V8 any more.
   */
  disarm(n: number): boolean {
    const range = this.#rangeOf(n);
    if (range === undefined || !this.#write(this.#name(range, n), 0)) return false;
    range.used ??= new Uint8Array(range.end - range.first);
    if (range.used[n - range.first] === 0) this.#used++;
    range.used[n - range.first] = 1;
    return true;
  }

  /** Whether there is something to renew. */
  get mustRenew(): boolean {
    return this.#used > 0;
  }

  /**
   * Makes cells that were disarmed new ones, whose values V8 compiles as constants: it deletes each and defines it again, which
   * takes six times as long as to write it.
   * @returns whether all are new
   */
  renew(isOver: () => boolean): boolean {
    for (let i = 0; this.#used > 0 && i < this.#ranges.length; i++) {
      if (!this.#renewIn(this.#ranges[i] as DefinedRange, isOver)) return false;
    }
    return true;
  }

  /**
   * Makes the sites of function `n`'s statements call `cell`. Returns false if the realm has none of them, or its global object
   * is frozen.
   */
  armStatements(n: number, cell: Cell): boolean {
    const range = this.#rangeOf(n);
    return range?.hasStatements === true && this.#write(range.prefix + statementsCell(n), cell);
  }

  /** Makes them NOPs again; see `disarm`. */
  disarmStatements(n: number): boolean {
    const range = this.#rangeOf(n);
    return range?.hasStatements === true && this.#renew(range.prefix + statementsCell(n), 0);
  }

  /** Sets a call cell (`x`, `d`, ...) under every prefix, those of texts loaded later too. */
  setCall(letter: string, value: Cell | 0): void {
    this.#calls[letter] = value;
    for (let i = 0; i < this.#prefixes.length; i++) this.#renew(this.#prefixes[i] + letter, value);
  }

  #renewIn(range: DefinedRange, isOver: () => boolean): boolean {
    const { first, used } = range;
    if (used === undefined) return true;
    for (let i = 0; i < used.length; i++) {
      if (used[i] === 0) continue;
      used[i] = 0;
      this.#used--;
      const name = this.#name(range, first + i);
      // It may have been armed again.
      if (this.#global[name] === 0) this.#renew(name, 0);
      if (this.#used % CELLS_PER_LOOK === 0 && isOver()) return this.#used === 0;
    }
    range.used = undefined;
    return true;
  }

  #name(range: DefinedRange, n: number): string {
    const { first, end, prefix } = range;
    range.names ??= [];
    const { names } = range;
    const index = n - first;
    const block = index >> BLOCK_BITS;
    const from = n - (index & (BLOCK - 1));
    names[block] ??= cellNames(from, from + BLOCK < end ? from + BLOCK : end, prefix);
    return (names[block] as readonly string[])[n - from] as string;
  }

  #addPrefix(prefix: string): void {
    for (let i = 0; i < this.#prefixes.length; i++) if (this.#prefixes[i] === prefix) return;
    for (const letter in this.#calls) this.#defineCall(prefix, letter);
    this.#prefixes[this.#prefixes.length] = prefix;
  }

  #defineCall(prefix: string, letter: string): void {
    defineProperty(this.#global, prefix + letter, { ...idle(), value: this.#calls[letter] });
  }

  #write(name: string, value: unknown): boolean {
    try {
      this.#global[name] = value;
      return true;
    } catch {
      return false;
    }
  }

  #renew(name: string, value: unknown): boolean {
    try {
      delete this.#global[name];
      defineProperty(this.#global, name, value === 0 ? idleDescriptor() : { ...IDLE, value });
      return true;
    } catch {
      return this.#write(name, value);
    }
  }

  #rangeOf(n: number): DefinedRange | undefined {
    const last = this.#last;
    if (last !== undefined && n >= last.first && n < last.end) return last;
    let low = 0;
    let high = this.#ranges.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const range = this.#ranges[middle] as DefinedRange;
      if (n < range.first) high = middle;
      else if (n >= range.end) low = middle + 1;
      else {
        this.#last = range;
        return range;
      }
    }
    return undefined;
  }

  #insert(range: DefinedRange): void {
    let at = this.#ranges.length;
    while (at > 0 && (this.#ranges[at - 1] as DefinedRange).first > range.first) at--;
    for (let i = this.#ranges.length; i > at; i--) this.#ranges[i] = this.#ranges[i - 1] as DefinedRange;
    this.#ranges[at] = range;
  }
}
