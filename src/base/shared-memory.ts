/** Less than this does not make a garbage collection worth while. Bytes. */
const WORTH = 64 * 1024;

/** ArrayBuffers of another kind than the compiler's library knows; the program may replace its globals later. */
const Reserved = ArrayBuffer as unknown as new (bytes: number, options: { maxByteLength: number }) => ArrayBuffer;
const beside = new WeakMap<SharedArrayBuffer, ArrayBuffer>();
const find = beside.get.bind(beside);
const put = beside.set.bind(beside);

/**
 * Has this thread's garbage collector reckon with shared memory that the thread holds, and returns it. V8 does not count what
 * several threads share, so a thread with little garbage of its own would keep what it let go of as good as for ever. Beside
 * the memory stands as much address space that is counted, goes when the memory goes, and is never written to: a resizable
 * ArrayBuffer is mapped afresh and takes no pages.
 */
export function countShared(memory: SharedArrayBuffer): SharedArrayBuffer {
  const bytes = memory.byteLength;
  if (bytes < WORTH || find(memory) !== undefined) return memory;
  try {
    put(memory, new Reserved(bytes, { maxByteLength: bytes }));
  } catch {
    // No address space is left: the memory is there, and is only let go of later.
  }
  return memory;
}

/**
 * Shared memory of so many zero bytes that this thread's garbage collector reckons with.
 * @throws RangeError when there is no room
 */
export const allocateShared = (bytes: number): SharedArrayBuffer => countShared(new SharedArrayBuffer(bytes));
