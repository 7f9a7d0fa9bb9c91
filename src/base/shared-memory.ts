/** Less than this is not worth a garbage collection, in bytes. */
const WORTH = 64 * 1024;

/** ArrayBuffers of another kind than the compiler's library knows; the program may replace its globals later. */
const Reserved = ArrayBuffer as unknown as new (bytes: number, options: { maxByteLength: number }) => ArrayBuffer;
const beside = new WeakMap<SharedArrayBuffer, ArrayBuffer>();
const find = beside.get.bind(beside);
const put = beside.set.bind(beside);

/**
 * Makes this thread's garbage collector count shared memory that the thread holds, and returns the memory. V8 does not count
 * what several threads share, so a thread with little garbage would keep released memory almost for ever. An ArrayBuffer of the
 * same size is counted in its place; it is collected together with the memory and never written to. It is resizable, so it is
 * newly mapped and takes no pages.
 */
export function countShared(memory: SharedArrayBuffer): SharedArrayBuffer {
  const bytes = memory.byteLength;
  if (bytes < WORTH || find(memory) !== undefined) return memory;
  try {
    put(memory, new Reserved(bytes, { maxByteLength: bytes }));
  } catch {
    // No address space is left: the memory is there, and is only released later.
  }
  return memory;
}

/**
 * Shared memory of so many zero bytes that this thread's garbage collector counts.
 * @throws RangeError if there is not enough memory
 */
export const allocateShared = (bytes: number): SharedArrayBuffer => countShared(new SharedArrayBuffer(bytes));
