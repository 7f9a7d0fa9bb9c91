import { SafeMap } from '../realm/primordials.js';

/** The cells of functions' statements. */
export interface StatementCells {
  /**
   * Makes the statements of a function call this, with a statement's number and the values that it passes. False if it has no
   * such sites.
   */
  armStatements(n: number, call: (index: number, ...values: unknown[]) => void): boolean;
  disarmStatements(n: number): boolean;
}

/** Hears which statement of a function begins, and what its site passes. Must not throw unless the stack is full. */
export type StatementListener = (index: number, values: readonly unknown[]) => void;

/** Who hears the statements of each function, on one thread: their sites are patched while anyone does. */
export class StatementCalls {
  readonly #cells: StatementCells | undefined;
  /** What a call has read from here stays as it was. */
  readonly #listeners = new SafeMap<number, readonly StatementListener[]>();

  /** @param cells undefined: there are none */
  constructor(cells: StatementCells | undefined) {
    this.#cells = cells;
  }

  /** False if the function has no sites at statements. */
  add(n: number, listener: StatementListener): boolean {
    const known = this.#listeners.get(n);
    this.#listeners.set(n, [...(known ?? []), listener]);
    if (known !== undefined || this.#cells?.armStatements(n, this.#callOf(n)) === true) return true;
    this.#listeners.delete(n);
    return false;
  }

  remove(n: number, listener: StatementListener): void {
    const known = this.#listeners.get(n);
    const left = known?.filter((one) => one !== listener) ?? [];
    if (known === undefined || left.length === known.length) return;
    if (left.length > 0) {
      this.#listeners.set(n, left);
      return;
    }
    this.#listeners.delete(n);
    this.#cells?.disarmStatements(n);
  }

  #callOf(n: number): (index: number, ...values: unknown[]) => void {
    return (index, ...values) => {
      const listeners = this.#listeners.get(n);
      if (listeners === undefined) return;
      try {
        for (let i = 0; i < listeners.length; i++) listeners[i]!(index, values);
      } catch {
        // The program's stack is full.
      }
    };
  }
}
