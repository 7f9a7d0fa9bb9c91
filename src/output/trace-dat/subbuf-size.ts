import type { ByteReader } from './byte-reader.js';

/** The largest sub-buffer that a kernel makes: 128 pages. */
const MAX_SUBBUF_BYTES = 1 << 19;

/** Reads the size of a sub-buffer and refuses an impossible one. */
export function checkSubbufBytes(reader: ByteReader): number {
  const size = reader.u32('the size of a sub-buffer');
  if (size < 1024 || size > MAX_SUBBUF_BYTES || (size & (size - 1)) !== 0) {
    reader.fail(
      `expected the size of a sub-buffer (a power of two, 1024 to ${MAX_SUBBUF_BYTES}), found ${size}`,
      reader.position - 4,
    );
  }
  return size;
}
