import { TraceError } from '../base/errno.js';
import { DIRENT } from './protocol.js';

/** One name of a listing. */
export interface ListedName {
  readonly name: string;
  readonly ino: number;
  readonly kind: 'file' | 'directory';
}

/** DT_DIR and DT_REG. */
const TYPES = { directory: 4, file: 8 } as const;

/** The directories that are being read. What one shows is decided when it is opened. */
export class DirectoryListings {
  readonly #listings = new Map<number, readonly ListedName[]>();
  #next = 1;

  add(names: readonly ListedName[]): number {
    this.#listings.set(this.#next, names);
    return this.#next++;
  }

  remove(fh: number): void {
    this.#listings.delete(fh);
  }

  /** The entries from number `offset` on, as many as fit in `size` bytes. */
  read(fh: number, offset: number, size: number): readonly Uint8Array[] {
    const names = this.#listings.get(fh);
    if (names === undefined) throw new TraceError('EBADF');
    const parts: Uint8Array[] = [];
    let left = size;
    for (let i = offset; i < names.length; i++) {
      const part = direntOf(names[i]!, i + 1);
      if (part.length > left) break;
      left -= part.length;
      parts.push(part);
    }
    return parts;
  }
}

/** A dirent is as long as the next multiple of eight. */
function direntOf({ name, ino, kind }: ListedName, off: number): Uint8Array {
  const text = Buffer.from(name);
  const padding = (8 - (text.length % 8)) % 8;
  return Buffer.concat([DIRENT.write({ ino, off, namelen: text.length, type: TYPES[kind] }), text, Buffer.alloc(padding)]);
}
