import { ObjectGetOwnPropertyDescriptor as getOwnPropertyDescriptor } from '../../base/primordials.js';
/** An object's own properties, without running anything of the program. */

/** What stands for the value of an accessor. */
export const ACCESSOR = Symbol('accessor');
/** What stands for the value of a property that the object has not. */
export const ABSENT = Symbol('absent');

/**
 * The value of an own property, ACCESSOR or ABSENT. `object` is not a Proxy. A data property's descriptor always has `writable`
 * of its own, so nothing that the program has put onto Object.prototype is met; asking it for `value` as an own property took 10
 * % of all rendering.
 */
export function ownProperty(object: object, key: PropertyKey): unknown {
  const descriptor = getOwnPropertyDescriptor(object, key);
  return descriptor === undefined ? ABSENT : dataOf(descriptor);
}

/** The value of an own property's descriptor. */
export function dataOf(descriptor: PropertyDescriptor): unknown {
  if (descriptor.writable !== undefined) return descriptor.value;
  return descriptor.get === undefined && descriptor.set === undefined ? undefined : ACCESSOR;
}

/** An own data property that is a string; '' for anything else. */
export function ownString(object: object, key: string): string {
  const value = ownProperty(object, key);
  return typeof value === 'string' ? value : '';
}
