import { doubled } from '../base/doubled.js';

const FIRST_SIZE = 64;

/** Numbers in an array that grows. */
export class GrowingNumbers {
  #array = new Float64Array(FIRST_SIZE);
  count = 0;

  push(value: number): void {
    if (this.count === this.#array.length) this.#array = doubled(this.#array);
    this.#array[this.count++] = value;
  }

  at(index: number): number {
    return this.#array[index]!;
  }

  /** All of them; valid until the next one comes. */
  get all(): Float64Array<ArrayBuffer> {
    return this.#array.subarray(0, this.count);
  }
}
