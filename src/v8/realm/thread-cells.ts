import { type CellRange, Cells, statementsCell } from './cells.js';
import { deref, SafeMap, SafeWeakMap, SafeWeakRef } from './primordials.js';
import { CellScripts, VmContextCells, type VmContextText } from './vm-context-cells.js';

/** A list of weak references. Collected objects are dropped when the list would have to grow. */
export class WeakList<T extends WeakKey> {
  #refs: WeakRef<T>[] = [];
  #room = 16;

  /** Adds one that is not in the list. */
  add(one: T): void {
    if (this.#refs.length >= this.#room) {
      const refs = this.#refs;
      this.#refs = [];
      for (let i = 0; i < refs.length; i++) if (deref(refs[i]!) !== undefined) this.#refs[this.#refs.length] = refs[i]!;
      this.#room = Math.max(16, 2 * this.#refs.length);
    }
    this.#refs[this.#refs.length] = new SafeWeakRef(one);
  }

  forEach(call: (one: T) => void): void {
    for (let i = 0; i < this.#refs.length; i++) {
      const one = deref(this.#refs[i]!);
      if (one !== undefined) call(one);
    }
  }

  /** How many places the list has, including those of collected objects. */
  get length(): number {
    return this.#refs.length;
  }
}

type Cell = (this: unknown, ...args: never[]) => unknown;

/** A text that the program compiles itself: it has cells in each realm that runs it, from the first run. */
interface SharedText extends VmContextText {
  /** What its armed sites call. */
  readonly armed: Map<number, Cell>;
  readonly contexts: WeakList<VmContextCells>;
}

/**
 * The patch sites of one thread: those of its own realm, and those of `vm` contexts that run texts with sites. A function
 * is one function in all of them: it is armed in each, also in those that come later.
 */
export class ThreadCells {
  readonly #own: Cells;
  readonly #byContext = new SafeWeakMap<object, VmContextCells>();
  readonly #contexts = new WeakList<VmContextCells>();
  /** In the order of their numbers. */
  readonly #shared: SharedText[] = [];
  readonly #calls: Record<string, Cell | 0> = { __proto__: null } as never;
  /** What the armed sites of statements call. */
  readonly #statements = new SafeMap<number, Cell>();
  #last: SharedText | undefined;

  constructor(global: object) {
    this.#own = new Cells(global);
  }

  /** Prefixes of the own realm's cells. */
  get prefixes(): readonly string[] {
    return this.#own.prefixes;
  }

  /** Defines a text's cells in the own realm; see Cells. */
  define(prefix: string, first: number, count: number, hasStatements = false): boolean {
    if (this.#own.has(first)) return true;
    if (!this.#own.define(prefix, first, count, hasStatements)) return false;
    this.#sharedTextOf(first)?.armed.forEach((cell, n) => {
      this.#own.arm(n, cell);
    });
    this.#statementsIn(first, count, (n, cell) => {
      this.#own.armStatements(n, cell);
    });
    return true;
  }

  /** From now on the text may be run in any realm, once its cells are there. */
  share(range: CellRange): void {
    const { first, count } = range;
    if (this.#sharedTextOf(first) !== undefined) return;
    const text: SharedText = {
      ...range,
      armed: new SafeMap<number, Cell>(),
      contexts: new WeakList(),
      scripts: CellScripts.ofFunctions(range),
    };
    this.#own.armedIn(first, count, (n, cell) => {
      text.armed.set(n, cell);
    });
    let at = this.#shared.length;
    while (at > 0 && this.#shared[at - 1]!.first > first) at--;
    for (let i = this.#shared.length; i > at; i--) this.#shared[i] = this.#shared[i - 1]!;
    this.#shared[at] = text;
  }

  /**
   * Defines the cells of a shared text in a context, if they are not there. `created` is called with a context that had no
   * cells before.
   */
  defineIn(context: object, { first }: CellRange, created: () => void): void {
    const text = this.#sharedTextOf(first);
    if (text === undefined) return;
    let cells = this.#byContext.get(context);
    if (cells === undefined) {
      cells = new VmContextCells(context);
      this.#byContext.set(context, cells);
      this.#contexts.add(cells);
      created();
    }
    if (cells.has(text) || !cells.define(text, this.#calls)) return;
    text.contexts.add(cells);
    const made = cells;
    text.armed.forEach((cell, n) => {
      made.write(text, n, cell as never);
    });
    if (!text.hasStatements) return;
    this.#statementsIn(text.first, text.count, (n, cell) => {
      made.write(text, statementsCell(n), cell as never);
    });
  }

  /** Whether this thread has loaded the text of function `n`. */
  has(n: number): boolean {
    return this.#own.has(n) || this.#sharedTextOf(n) !== undefined;
  }

  /** Makes function `n`'s sites call `cell`. Returns false if the thread has no such function, or no place for its cell. */
  arm(n: number, cell: Cell): boolean {
    const text = this.#sharedTextOf(n);
    if (text === undefined) return this.#own.arm(n, cell);
    text.armed.set(n, cell);
    this.#own.arm(n, cell);
    text.contexts.forEach((cells) => {
      cells.write(text, n, cell as never);
    });
    return true;
  }

  /** Makes function `n`'s sites NOPs again. */
  disarm(n: number): boolean {
    const text = this.#sharedTextOf(n);
    if (text === undefined) return this.#own.disarm(n);
    text.armed.delete(n);
    this.#own.disarm(n);
    text.contexts.forEach((cells) => {
      cells.write(text, n, 0);
    });
    return true;
  }

  /** Whether there is something to renew. */
  get mustRenew(): boolean {
    return this.#own.mustRenew;
  }

  /** Makes disarmed cells free for V8's optimized code, too; see Cells. Returns whether all are. */
  renew(isOver: () => boolean): boolean {
    return this.#own.renew(isOver);
  }

  /**
   * Makes the sites of function `n`'s statements call `cell`, if its text is loaded later too. Returns false if it is loaded and
   * has none.
   */
  armStatements(n: number, cell: Cell): boolean {
    this.#statements.set(n, cell);
    const text = this.#sharedTextOf(n);
    if (text === undefined) return this.#own.armStatements(n, cell) || !this.#own.has(n);
    return this.#writeStatements(text, n, cell, () => this.#own.armStatements(n, cell));
  }

  /** Makes them NOPs again. */
  disarmStatements(n: number): boolean {
    this.#statements.delete(n);
    const text = this.#sharedTextOf(n);
    if (text === undefined) return this.#own.disarmStatements(n);
    return this.#writeStatements(text, n, 0, () => this.#own.disarmStatements(n));
  }

  /** Sets a call cell (`x`, `d`, ...) under every prefix in every realm, those of later ones too. */
  setCall(letter: string, value: Cell | 0): void {
    this.#calls[letter] = value;
    this.#own.setCall(letter, value);
    this.#contexts.forEach((cells) => {
      cells.setCall(letter, value as never);
    });
  }

  #writeStatements(text: SharedText, n: number, value: Cell | 0, inOwn: () => boolean): boolean {
    if (!text.hasStatements) return false;
    inOwn();
    text.contexts.forEach((cells) => {
      cells.write(text, statementsCell(n), value as never);
    });
    return true;
  }

  /** Tells of the armed sites of the statements of functions first, first + 1, ... */
  #statementsIn(first: number, count: number, tell: (n: number, cell: Cell) => void): void {
    this.#statements.forEach((cell, n) => {
      if (n >= first && n < first + count) tell(n, cell);
    });
  }

  #sharedTextOf(n: number): SharedText | undefined {
    if (this.#shared.length === 0) return undefined;
    const last = this.#last;
    if (last !== undefined && n >= last.first && n < last.first + last.count) return last;
    let low = 0;
    let high = this.#shared.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const text = this.#shared[middle]!;
      if (n < text.first) high = middle;
      else if (n >= text.first + text.count) low = middle + 1;
      else {
        this.#last = text;
        return text;
      }
    }
    return undefined;
  }
}
