import { getOwnPropertyDescriptor, getPrototypeOf, SafeWeakMap, uncurry } from '../realm/primordials.js';

/** Where the first memory lies, and what each begins at a multiple of. */
const FIRST = 0x7f00_0000_0000;
const ALIGNMENT = 16;

const typedArray = getPrototypeOf(Uint8Array.prototype) as object;
const getterOf = <T>(holder: object, key: string): ((self: object) => T) =>
  uncurry(getOwnPropertyDescriptor(holder, key)!.get as (this: object) => T) as (self: object) => T;

/** Getters of views and memories, whatever the program has put on their prototypes. */
export const memoryOf = getterOf<ArrayBufferLike>(typedArray, 'buffer');
export const lengthOf = getterOf<number>(typedArray, 'byteLength');
const offsetOf = getterOf<number>(typedArray, 'byteOffset');
export const memoryLength = getterOf<number>(ArrayBuffer.prototype, 'byteLength');

/**
 * Gives memory that scripts cannot know the address of a number in its place: the same for the same memory, never two for one.
 */
export class MemoryPlaces {
  readonly #places = new SafeWeakMap<object, number>();
  #next = FIRST;

  /** The place of a view's first byte. */
  ofView(view: object): number {
    return this.ofMemory(memoryOf(view)) + offsetOf(view);
  }

  ofMemory(memory: ArrayBufferLike): number {
    let place = this.#places.get(memory);
    if (place === undefined) {
      place = this.#next;
      this.#places.set(memory, place);
      this.#next += (Math.floor(memoryLength(memory) / ALIGNMENT) + 1) * ALIGNMENT;
    }
    return place;
  }
}
