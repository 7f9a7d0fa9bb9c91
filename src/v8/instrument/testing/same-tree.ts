import type { AnyNode } from '../parse.js';

/** Fields of acorn's that nobody here asks for. */
const UNASKED = new Set(['sourceType', 'bigint', 'tail']);

/** Where a tree differs from acorn's, as the path of a field with both values; undefined: nowhere. */
export function difference(acorns: unknown, other: unknown, path = ''): string | undefined {
  if (acorns instanceof RegExp || typeof acorns !== 'object' || acorns === null) {
    const isSame = acorns instanceof RegExp ? String(acorns) === String(other) : Object.is(acorns, other);
    return isSame || acorns === undefined ? undefined : `${path}: ${String(acorns)}, not ${String(other)}`;
  }
  if (typeof other !== 'object' || other === null) return `${path} is missing`;
  if (Array.isArray(acorns)) {
    if (acorns.length !== (other as unknown[]).length) return `${path}: ${acorns.length}, not ${(other as unknown[]).length}`;
    return acorns.map((one, i) => difference(one, (other as unknown[])[i], `${path}[${i}]`)).find((found) => found !== undefined);
  }
  for (const [name, value] of Object.entries(acorns)) {
    if (UNASKED.has(name) || (name === 'expression' && typeof value === 'boolean')) continue;
    const found = difference(value, (other as AnyNode)[name], `${path}.${name}`);
    if (found !== undefined) return found;
  }
  return undefined;
}
