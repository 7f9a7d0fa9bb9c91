import { type BigIntStats, closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { TraceError } from '../../base/errno.js';

/** The bytes of a file. */
export interface Bytes {
  readonly length: number;
  /** Bytes from one offset to another, or to the end. */
  subarray(from: number, to: number): Buffer;
}

/** Small parts are read with their neighbours, of which so many are kept: who looks at functions goes from one to the next. */
const CHUNK = 65_536;
const MOST_CHUNKS = 32;

/** What tells a file from another one, and from itself after a change. */
const identityOf = ({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string => `${dev} ${ino} ${size} ${mtimeNs} ${ctimeNs}`;

/** What tells a file from others, and from itself after a change. @throws Error as statSync */
export const fileIdentity = (path: string): string => identityOf(statSync(path, { bigint: true }));

/**
 * A file of which only what is asked for is read: an executable may have 100 MB. It is not kept open: the program that is traced
 * may be this process, whose descriptors are its own.
 */
export class FileBytes implements Bytes {
  readonly #path: string;
  readonly #chunks = new Map<number, Buffer>();
  /** What tells this file from others. */
  readonly identity: string;
  readonly length: number;
  /** How often the file was read, for tests. */
  reads = 0;

  /** @throws Error as openSync */
  constructor(path: string) {
    this.#path = path;
    const stat = statSync(path, { bigint: true });
    this.identity = identityOf(stat);
    this.length = Number(stat.size);
  }

  /** @throws TraceError EIO when the file was replaced or changed, or cannot be read any more */
  subarray(from: number, to: number): Buffer {
    const end = Math.min(to, this.length);
    if (from >= end) return Buffer.alloc(0);
    const number = Math.floor(from / CHUNK);
    const offset = number * CHUNK;
    if (end > offset + CHUNK) return this.#read(from, end);
    return this.#chunk(number).subarray(from - offset, end - offset);
  }

  #chunk(number: number): Buffer {
    const known = this.#chunks.get(number);
    if (known !== undefined) return known;
    const chunk = this.#read(number * CHUNK, Math.min((number + 1) * CHUNK, this.length));
    const [oldest] = this.#chunks.keys();
    if (this.#chunks.size === MOST_CHUNKS) this.#chunks.delete(oldest!);
    this.#chunks.set(number, chunk);
    return chunk;
  }

  #read(from: number, to: number): Buffer {
    this.reads++;
    let fd: number | undefined;
    try {
      fd = openSync(this.#path, 'r');
      if (identityOf(fstatSync(fd, { bigint: true })) !== this.identity) throw new Error('it was replaced');
      const bytes = Buffer.allocUnsafeSlow(to - from);
      for (let at = 0; at < bytes.length; ) {
        const read = readSync(fd, bytes, at, bytes.length - at, from + at);
        if (read === 0) throw new Error('it has become shorter');
        at += read;
      }
      return bytes;
    } catch (error) {
      throw new TraceError('EIO', `${this.#path} cannot be read: ${(error as Error).message}`);
    } finally {
      if (fd !== undefined) closeSync(fd);
    }
  }
}
