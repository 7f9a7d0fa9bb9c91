import { SafeMap } from '../../realm/primordials.js';

/** The system calls that the thread does not wait for: each has a place, from 1 on, that is free again at its end. */
export class CallsInFlight {
  readonly #places = new SafeMap<number, number>();
  readonly #free: number[] = [];
  #freeCount = 0;

  /** The place of a call that begins. */
  begin(req: number): number {
    const place = this.#freeCount === 0 ? this.#places.size + 1 : this.#free[--this.#freeCount]!;
    this.#places.set(req, place);
    return place;
  }

  /** The place of a call that ends; 0: it had none. */
  end(req: number): number {
    if (this.#places.size === 0) return 0;
    const place = this.#places.get(req);
    if (place === undefined) return 0;
    this.#places.delete(req);
    this.#free[this.#freeCount++] = place;
    return place;
  }

  /** Nobody listens any more: ends are not heard. */
  clear(): void {
    this.#places.clear();
    this.#freeCount = 0;
  }
}
