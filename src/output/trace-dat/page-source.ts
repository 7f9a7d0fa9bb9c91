import type { Decompress } from './compression.js';
import type { InFile } from './in-file.js';
import type { CpuExtent, RecordedBuffer } from './trace-dat-file.js';

/** Gives one CPU's sub-buffers in order, as many as fit. */
export interface PageSource {
  /** Fills `target` with whole sub-buffers; returns the bytes, 0 at the end. */
  read(target: Uint8Array): number;
  /** Bytes that the file should have held and does not. */
  readonly missingBytes: number;
}

/** The sub-buffers of one CPU of an open file. */
export function pageSource(file: InFile, buffer: RecordedBuffer, extent: CpuExtent): PageSource {
  if (extent.size === 0) return { read: () => 0, missingBytes: 0 };
  return buffer.decompress === undefined
    ? new PlainPages(file, extent, buffer.subbufBytes)
    : new CompressedPages(file, extent, buffer.decompress);
}

class PlainPages implements PageSource {
  readonly missingBytes: number;
  readonly #file: InFile;
  #at: number;
  readonly #end: number;

  constructor(file: InFile, extent: CpuExtent, subbufBytes: number) {
    this.#file = file;
    this.#at = extent.offset;
    const there = Math.max(0, Math.min(extent.size, file.size - extent.offset));
    this.#end = extent.offset + Math.floor(there / subbufBytes) * subbufBytes;
    this.missingBytes = extent.size - there;
  }

  read(target: Uint8Array): number {
    const length = Math.min(target.length, this.#end - this.#at);
    if (length <= 0) return 0;
    const got = this.#file.readInto(target, 0, length, this.#at);
    this.#at += got;
    return got;
  }
}

/** A list of chunks, each compressed on its own: u32 count, then { u32 packed size, u32 plain size, bytes }. */
class CompressedPages implements PageSource {
  missingBytes = 0;
  readonly #file: InFile;
  readonly #decompress: Decompress;
  #at: number;
  #chunksLeft: number;
  #chunk: Buffer = Buffer.alloc(0);

  constructor(file: InFile, extent: CpuExtent, decompress: Decompress) {
    this.#file = file;
    this.#decompress = decompress;
    this.#at = extent.offset;
    if (extent.offset + 4 > file.size) {
      this.missingBytes = extent.size;
      this.#chunksLeft = 0;
      return;
    }
    this.#chunksLeft = file.read(extent.offset, 4, 'the number of compressed chunks').readUInt32LE();
    this.#at += 4;
  }

  read(target: Uint8Array): number {
    let done = 0;
    while (done < target.length) {
      if (this.#chunk.length === 0 && !this.#next()) break;
      const part = Math.min(this.#chunk.length, target.length - done);
      target.set(this.#chunk.subarray(0, part), done);
      this.#chunk = this.#chunk.subarray(part);
      done += part;
    }
    return done;
  }

  #next(): boolean {
    if (this.#chunksLeft === 0) return false;
    this.#chunksLeft--;
    const at = this.#at;
    const left = this.#file.size - at;
    const packed = left >= 8 ? this.#file.read(at, 4, 'the size of a chunk').readUInt32LE() : Infinity;
    if (packed > left - 8) {
      this.missingBytes += packed === Infinity ? 1 : packed - Math.max(0, left - 8);
      this.#chunksLeft = 0;
      return false;
    }
    const size = this.#file.read(at + 4, 4, 'the plain size of a chunk').readUInt32LE();
    this.#at = at + 8 + packed;
    try {
      this.#chunk = this.#decompress(this.#file.read(at + 8, packed, 'a compressed chunk'), size);
    } catch (error) {
      throw this.#file.error(at, `a chunk of ${packed} bytes cannot be decompressed: ${(error as Error).message}`);
    }
    return true;
  }
}
