import { SafeWeakMap } from '../../realm/primordials.js';

let last = 0;

/** A number that no other request or object of this thread has. */
export const nextId = (): number => ++last;

const ids = new SafeWeakMap<object, number>();

/** The number that stands for an object, as an address does in the kernel; 0 for none. */
export function idOf(object: object | null | undefined): number {
  if (object === null || object === undefined) return 0;
  let id = ids.get(object);
  if (id === undefined) {
    id = nextId();
    ids.set(object, id);
  }
  return id;
}
