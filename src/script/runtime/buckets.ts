import { MathFloor as floor } from '../../base/primordials.js';
import type { Long } from '../../events/c-types.js';
import type { HistogramShape } from '../program.js';
import { bitLength, divide, negate, subtract } from './longs.js';

/** The bucket of 0 of a logarithmic histogram of SystemTap. */
export const LOG_ZERO = 64;

type BucketOf = { readonly [K in HistogramShape['kind']]: (value: Long, shape: Extract<HistogramShape, { kind: K }>) => number };

const BUCKETS: BucketOf = {
  // The least integer is its own negative: its bits count as unsigned ones.
  log: (value) => (value >= 0 ? LOG_ZERO + bitLength(value) : LOG_ZERO - bitLength(negate(value))),
  log2: (value) => (value < 0 ? 0 : value === 0 ? 1 : 1 + bitLength(value)),
  linear: (value, { from, step }) => {
    if (value < from) return 0;
    if (typeof value === 'number') return floor((value - from) / step) + 1;
    const bucket = divide(subtract(value, from), step);
    return typeof bucket === 'number' ? bucket + 1 : Infinity;
  },
};

/** The number of a value's bucket; can be more than there are. */
export const bucketOf = (shape: HistogramShape, value: Long): number => BUCKETS[shape.kind](value, shape as never);
