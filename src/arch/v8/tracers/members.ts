/**
 * The first members of an object or array, looked at as own data properties only, through functions taken before the
 * program could replace them. The caller has made sure that the object is not a Proxy.
 */

import type { ValueText } from './value-text.js';

const { getOwnPropertyDescriptor, keys } = Object;
const { apply } = Reflect;
const weakHas = WeakSet.prototype.has;
const weakAdd = WeakSet.prototype.add;

/** Members that are shown. */
const MAX_MEMBERS = 3;
/** The names of the elements that are shown. */
const INDICES = Array.from({ length: MAX_MEMBERS }, (_, i) => `${i}`);
/** Characters of a key that are shown. */
const MAX_KEY = 24;
/** Listing the keys of a large object takes as long as it has keys, so one that has more than this is listed only once. */
const MANY_KEYS = 64;

const large = new WeakSet<object>();

/** Renders a value that stands inside another one: without members of its own. */
export type RenderNested = (out: ValueText, value: unknown) => ValueText;

function member(out: ValueText, object: object, key: string, render: RenderNested): ValueText {
  const descriptor = getOwnPropertyDescriptor(object, key);
  if (descriptor === undefined) return out;
  return descriptor.get !== undefined || descriptor.set !== undefined ? out.add('[getter]') : render(out, descriptor.value);
}

/** `{id: 1, name: "pen", …}`, or `{…}` for an object that has very many. */
export function renderMembers(out: ValueText, object: object, render: RenderNested): ValueText {
  if (apply(weakHas, large, [object])) return out.add('{…}');
  const names = keys(object);
  if (names.length > MANY_KEYS) {
    apply(weakAdd, large, [object]);
    return out.add('{…}');
  }
  out.add('{');
  const shown = names.length < MAX_MEMBERS ? names.length : MAX_MEMBERS;
  for (let i = 0; i < shown && !out.full; i++) {
    if (i > 0) out.add(', ');
    member(out.add(names[i]!, MAX_KEY).add(': '), object, names[i]!, render);
  }
  return out.add(shown < names.length ? ', …}' : '}');
}

/** `[1, 2]`, or `[1, 2, 3, … of 10]`; a hole is shown as nothing. */
export function renderElements(out: ValueText, array: readonly unknown[], render: RenderNested): ValueText {
  const { length } = array;
  out.add('[');
  for (let i = 0; i < length && i < MAX_MEMBERS && !out.full; i++) {
    if (i > 0) out.add(', ');
    member(out, array, INDICES[i]!, render);
  }
  if (length > MAX_MEMBERS) out.add(', … of ').add(`${length}`);
  return out.add(']');
}
