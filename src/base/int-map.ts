/** States of a slot; 0 is empty. */
const FULL = 1;
const DELETED = 2;

/**
 * A map from 32-bit integers to 32-bit integers. It calls nothing that a program can replace, and allocates no objects, so it
 * can be used while the program runs.
 */
export class IntMap {
  #keys = new Int32Array(64);
  #values = new Int32Array(64);
  #states = new Uint8Array(64);
  /** Slots that are not empty, deleted ones included. */
  #used = 0;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** The value of a key, 0 when there is none. */
  get(key: number): number {
    const at = this.#find(key);
    return this.#states[at] === FULL ? this.#values[at]! : 0;
  }

  /** Sets a value; 0 removes the key. */
  set(key: number, value: number): void {
    const at = this.#find(key);
    if (this.#states[at] === FULL) {
      this.#values[at] = value;
      if (value === 0) {
        this.#states[at] = DELETED;
        this.#size--;
      }
      return;
    }
    if (value === 0) return;
    this.#keys[at] = key;
    this.#values[at] = value;
    this.#states[at] = FULL;
    this.#size++;
    if (++this.#used * 2 > this.#keys.length) this.#rehash();
  }

  /** Removes bits from every value. */
  clearBits(mask: number): void {
    for (let at = 0; at < this.#keys.length; at++) {
      if (this.#states[at] !== FULL) continue;
      this.#values[at]! &= ~mask;
      if (this.#values[at] !== 0) continue;
      this.#states[at] = DELETED;
      this.#size--;
    }
  }

  /** The keys whose values have some bit of `mask`. */
  keysWith(mask: number): number[] {
    const keys: number[] = [];
    for (let at = 0; at < this.#keys.length; at++) {
      if (this.#states[at] === FULL && (this.#values[at]! & mask) !== 0) keys[keys.length] = this.#keys[at]!;
    }
    return keys;
  }

  /** The slot of a key, or the one to put it in: never a deleted one, so that a key has only one. */
  #find(key: number): number {
    const mask = this.#keys.length - 1;
    let at = (key ^ (key >>> 15)) & mask;
    while (this.#states[at] === DELETED || (this.#states[at] === FULL && this.#keys[at] !== key)) at = (at + 1) & mask;
    return at;
  }

  #rehash(): void {
    const keys = this.#keys;
    const values = this.#values;
    const states = this.#states;
    const length = this.#size * 4 > keys.length ? keys.length * 2 : keys.length;
    this.#keys = new Int32Array(length);
    this.#values = new Int32Array(length);
    this.#states = new Uint8Array(length);
    this.#used = 0;
    this.#size = 0;
    for (let at = 0; at < keys.length; at++) if (states[at] === FULL) this.set(keys[at]!, values[at]!);
  }
}
