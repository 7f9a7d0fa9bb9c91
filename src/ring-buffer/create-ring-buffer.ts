import { TraceError } from '../base/errno.js';
import { allocateShared } from '../base/shared-memory.js';
import { dataBytes } from './event-word.js';
import * as at from './layout.js';

/** The initial settings of a ring buffer. */
export interface RingBufferOptions {
  /** Whether the oldest page is overwritten when the ring is full (the default), or new events are dropped. */
  readonly overwrite?: boolean;
  /** Whether the writer records at once (the default). */
  readonly recording?: boolean;
}

/** Bytes of a sub-buffer with its header: a page of the kernel. */
export const DEFAULT_SUBBUF_BYTES = 4096;

/** The ring's pages for a size in bytes: rounded up, two at least, as ring_buffer_resize() does. */
export function pagesFor(sizeBytes: number, subbufBytes: number): number {
  return Math.max(2, Math.ceil(sizeBytes / dataBytes(subbufBytes)));
}

/**
 * Memory for one thread's ring buffer.
 * @param sizeBytes what the ring holds, rounded up to whole sub-buffers, two at least; one more stands outside the ring
 * @param subbufBytes bytes of a sub-buffer with its header: a power of two from 4096 up
 * @throws TraceError EINVAL for a sub-buffer of another size, ENOMEM when there is no room
 */
export function createRingBuffer(
  sizeBytes: number,
  subbufBytes: number = DEFAULT_SUBBUF_BYTES,
  options: RingBufferOptions = {},
): SharedArrayBuffer {
  return createRingIn(allocateRing, sizeBytes, subbufBytes, options);
}

/** Creates a ring buffer in memory of any kind: `allocate` returns so many zero bytes. */
export function createRingIn<Memory extends ArrayBufferLike>(
  allocate: (bytes: number) => Memory,
  sizeBytes: number,
  subbufBytes: number = DEFAULT_SUBBUF_BYTES,
  options: RingBufferOptions = {},
): Memory {
  if (!Number.isInteger(Math.log2(subbufBytes)) || subbufBytes < 4096 || subbufBytes > 2 ** 26) {
    throw new TraceError('EINVAL', `a sub-buffer of ${subbufBytes} bytes: not a power of two from 4096 to 64 MiB`);
  }
  const nrPages = pagesFor(sizeBytes, subbufBytes);
  const bytes = at.pagesOffset(nrPages) + (nrPages + 1) * subbufBytes;
  // Byte offsets are computed as 32-bit integers.
  if (bytes >= 2 ** 31) throw new TraceError('ENOMEM', `a ring buffer of ${sizeBytes} bytes: 2 GiB or more`);
  const memory = allocate(bytes);

  const i32 = new Int32Array(memory);
  for (let page = 0; page < nrPages; page++) {
    const next = (page + 1) % nrPages;
    i32[at.linkWord(page) + at.LINK] = (next << 2) | (next === 0 ? at.LINK_HEAD : at.LINK_NORMAL);
  }
  i32[at.linkWord(0) + at.SERIAL] = 1;
  i32[at.SUBBUF_BYTES] = subbufBytes;
  i32[at.NR_PAGES] = nrPages;
  i32[at.READER_PAGE] = nrPages;
  i32[at.OVERWRITE] = options.overwrite === false ? 0 : 1;
  i32[at.ATTENTION] = options.recording === false ? at.RECORD_DISABLED_BY.tracingOn : 0;
  Atomics.store(i32, at.MAGIC, at.MAGIC_VALUE);
  return memory;
}

/** Gives shared memory of so many zero bytes. @throws TraceError ENOMEM when there is no room */
export type AllocateRing = (bytes: number) => SharedArrayBuffer;

/** Memory that the threads of this process share. */
export function allocateRing(bytes: number): SharedArrayBuffer {
  try {
    return allocateShared(bytes);
  } catch {
    throw new TraceError('ENOMEM');
  }
}
