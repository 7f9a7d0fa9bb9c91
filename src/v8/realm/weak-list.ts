import { deref, SafeWeakRef } from './primordials.js';

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
