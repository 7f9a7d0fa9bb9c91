import { BigIntPrototypeToString as bigToString, NumberPrototypeToString as numberToString } from '../../base/primordials.js';
import type { Long } from '../../events/c-types.js';

/** An integer in decimal, or to another base. */
export const decimal = (value: Long, base = 10): string =>
  typeof value === 'number' ? numberToString(value, base) : bigToString(value, base);
