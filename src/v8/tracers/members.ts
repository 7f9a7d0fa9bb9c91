/**
 * The first members of an object or array, read only as own data properties, through functions saved before the program could
 * replace them. The caller has made sure that the object is not a Proxy.
 */

import {
  ReflectApply as apply,
  ObjectGetOwnPropertyDescriptor as getOwnPropertyDescriptor,
  ObjectKeys as keys,
  WeakSetPrototypeAdd as weakAdd,
  WeakSetPrototypeHas as weakHas,
} from '../../base/primordials.js';
import type { ClassText } from './class-text.js';
import { ACCESSOR, dataOf } from './own-property.js';
import { prepare, type ValueText } from './value-text.js';

/** The most members that are shown. */
const MAX_MEMBERS = 3;
/** The names of the elements that are shown. */
const INDICES = Array.from({ length: MAX_MEMBERS }, (_, i) => `${i}`);
/** Listing the keys of a large object takes as long as it has keys, so one that has more than this is listed only once. */
const MANY_KEYS = 64;

const large = new WeakSet<object>();

const COMMA = prepare(', ');
const CLOSE = prepare('}');
const CLOSE_MORE = prepare(', …}');
const NO_MEMBERS = prepare('{}');
const GETTER = prepare('[getter]');
const OPEN_ELEMENTS = prepare('[');
const CLOSE_ELEMENTS = prepare(']');
const MORE_ELEMENTS = prepare(', … of ');

/** Renders a value that stands inside another one: without members of its own. */
export type RenderNested = (out: ValueText, value: unknown) => ValueText;

/** The value of an own property; nothing for one that the object has not. */
function member(out: ValueText, object: object, key: string, render: RenderNested): void {
  const descriptor = getOwnPropertyDescriptor(object, key);
  if (descriptor === undefined) return;
  const value = dataOf(descriptor);
  // Here and not behind a call: most members of most objects are such integers.
  if (typeof value === 'number' && (value | 0) === value && value !== 0) out.addInteger(value);
  else if (value === ACCESSOR) out.addPrepared(GETTER);
  else render(out, value);
}

/** `Order{id: 1, name: "pen", …}`, or `Order{…}` for an object that has very many. */
export function renderMembers(out: ValueText, object: object, text: ClassText, render: RenderNested): ValueText {
  if (text.hasLarge && (apply(weakHas, large, [object]) as boolean)) return out.addPrepared(text.folded);
  const names = keys(object);
  const count = names.length;
  if (count > MANY_KEYS) {
    text.hasLarge = true;
    apply(weakAdd, large, [object]);
    return out.addPrepared(text.folded);
  }
  if (count === 0) return out.add(text.name).addPrepared(NO_MEMBERS);
  const shown = count < MAX_MEMBERS ? count : MAX_MEMBERS;
  let { kept } = text;
  if (kept === undefined) text.keep(names, shown);
  for (let i = 0; i < shown && !out.full; i++) {
    const name = names[i]!;
    if (kept !== undefined && kept.key === name) out.addPrepared(kept.before);
    else out.add(text.before(name, i));
    if (kept !== undefined) kept = kept.next;
    member(out, object, name, render);
  }
  return out.addPrepared(shown < count ? CLOSE_MORE : CLOSE);
}

/** `[1, 2]`, or `[1, 2, 3, … of 10]`; a hole is shown as nothing. */
export function renderElements(out: ValueText, array: readonly unknown[], render: RenderNested): ValueText {
  const { length } = array;
  out.addPrepared(OPEN_ELEMENTS);
  for (let i = 0; i < length && i < MAX_MEMBERS && !out.full; i++) {
    if (i > 0) out.addPrepared(COMMA);
    member(out, array, INDICES[i]!, render);
  }
  if (length > MAX_MEMBERS) out.addPrepared(MORE_ELEMENTS).addInteger(length);
  return out.addPrepared(CLOSE_ELEMENTS);
}
