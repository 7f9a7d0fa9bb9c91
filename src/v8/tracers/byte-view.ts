import {
  DataViewPrototypeSetFloat64 as setFloat64,
  DataViewPrototypeSetInt32 as setInt32,
  TypedArrayPrototypeGetBuffer,
  uncurryThis,
} from '../../base/primordials.js';

/** Stores of several bytes at any place: a loop over bytes takes V8 25 instructions a byte, most of them checks. */

/**
 * A view whose stores are its own properties: the program may replace the prototype's, and V8 makes a store of a
 * method's call only where it sees that the object is a DataView, which it does not behind `call.bind`.
 */
export class ByteView extends DataView<ArrayBufferLike> {
  /** Stores the eight bytes of a float64. None that holds UTF-8 without DEL is a NaN, whose bits might change on the way. */
  readonly put8 = setFloat64;
  readonly put4 = setInt32;
}

/** The memory under an array, by the getter from before the program could replace it. */
export const bufferOf = uncurryThis(TypedArrayPrototypeGetBuffer) as (array: ArrayBufferView) => ArrayBufferLike;

/** The three decimal digits of 0 to 999 as the low three bytes, the first one lowest. */
export const DIGITS = new Int32Array(1000);
for (let i = 0; i < 1000; i++) {
  const hundreds = (i / 100) | 0;
  const tens = ((i / 10) | 0) % 10;
  DIGITS[i] = (0x30 + hundreds) | ((0x30 + tens) << 8) | ((0x30 + (i % 10)) << 16);
}
