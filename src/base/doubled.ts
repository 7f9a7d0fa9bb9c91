type Numbers = Float64Array<ArrayBuffer> | Int32Array<ArrayBuffer> | Uint8Array<ArrayBuffer>;

/**
 * The content of an array at the beginning of one twice as large, of the same type; the rest is 0. Not for a traced process:
 * the program may change what the constructor of an array is said to be.
 */
export function doubled<Array extends Numbers>(array: Array): Array {
  const larger = new (array.constructor as new (length: number) => Array)(array.length * 2);
  larger.set(array);
  return larger;
}
