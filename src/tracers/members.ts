/**
 * The first members of an object or array, looked at as own data properties only, through functions taken before the
 * program could replace them. The caller has made sure that the object is not a Proxy.
 */

const { getOwnPropertyDescriptor, keys } = Object;
const { apply } = Reflect;
const slice = String.prototype.slice;
const weakHas = WeakSet.prototype.has;
const weakAdd = WeakSet.prototype.add;

/** Members that are shown. */
const MAX_MEMBERS = 3;
/** Characters of a key that are shown. */
const MAX_KEY = 24;
/** Listing the keys of a large object takes as long as it has keys, so one that has more than this is listed only once. */
const MANY_KEYS = 64;

const large = new WeakSet<object>();

/** Renders a value that stands inside another one: without members of its own. */
export type RenderNested = (value: unknown) => string;

function member(object: object, key: string, render: RenderNested): string {
  const descriptor = getOwnPropertyDescriptor(object, key);
  if (descriptor === undefined) return '';
  return descriptor.get !== undefined || descriptor.set !== undefined ? '[getter]' : render(descriptor.value);
}

/** `{id: 1, name: "pen", …}`, or `{…}` for an object that has very many. */
export function renderMembers(object: object, render: RenderNested): string {
  if (apply(weakHas, large, [object])) return '{…}';
  const names = keys(object);
  if (names.length > MANY_KEYS) {
    apply(weakAdd, large, [object]);
    return '{…}';
  }
  let out = '{';
  for (let i = 0; i < names.length; i++) {
    if (i === MAX_MEMBERS) return `${out}, …}`;
    const name = names[i]!;
    const shown = name.length > MAX_KEY ? `${apply(slice, name, [0, MAX_KEY])}…` : name;
    out += `${i === 0 ? '' : ', '}${shown}: ${member(object, name, render)}`;
  }
  return `${out}}`;
}

/** `[1, 2]`, or `[1, 2, 3, … of 10]`; a hole is shown as nothing. */
export function renderElements(array: readonly unknown[], render: RenderNested): string {
  const { length } = array;
  let out = '[';
  for (let i = 0; i < length && i < MAX_MEMBERS; i++) out += `${i === 0 ? '' : ', '}${member(array, `${i}`, render)}`;
  return length > MAX_MEMBERS ? `${out}, … of ${length}]` : `${out}]`;
}
