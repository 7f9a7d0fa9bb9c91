import { TraceError } from '../../base/errno.js';
import type { FileHandle, FileOpener, OpenFlags, TraceFile } from './node.js';

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const NONE = new Uint8Array(0);

/** What a file shows: created when the first byte is read, and unchanged until the file is closed (seq_file). */
export type Content = string | Iterable<string | Uint8Array>;

/** Returns a content in pieces of any size. Large contents are created while they are read. */
export class ContentReader {
  readonly #pieces: Iterator<string | Uint8Array>;
  #piece = NONE as Uint8Array;
  #at = 0;

  constructor(content: Content) {
    this.#pieces = (typeof content === 'string' ? [content] : content)[Symbol.iterator]();
  }

  /** Up to `size` bytes; none at the end. */
  read(size: number): Uint8Array {
    const parts: Uint8Array[] = [];
    let left = size;
    while (left > 0 && this.#fill()) {
      const part = this.#piece.subarray(this.#at, this.#at + left);
      this.#at += part.length;
      left -= part.length;
      parts.push(part);
    }
    return parts.length === 1 ? parts[0]! : Buffer.concat(parts);
  }

  /** Skips so many bytes, or as many as there are. */
  skip(bytes: number): void {
    for (let left = bytes; left > 0 && this.#fill(); ) {
      const skipped = Math.min(left, this.#piece.length - this.#at);
      this.#at += skipped;
      left -= skipped;
    }
  }

  #fill(): boolean {
    while (this.#at >= this.#piece.length) {
      const next = this.#pieces.next();
      if (next.done === true) return false;
      this.#piece = typeof next.value === 'string' ? encoder.encode(next.value) : next.value;
      this.#at = 0;
    }
    return true;
  }
}

/** What an open file shows: created at the first read, and again when it is read from another place (traverse). */
export class ShownContent {
  readonly #show: () => Content;
  #reader: ContentReader | undefined;

  constructor(show: () => Content) {
    this.#show = show;
  }

  read(size: number): Uint8Array {
    this.#reader ??= new ContentReader(this.#show());
    return this.#reader.read(size);
  }

  seek(offset: number): void {
    this.#reader = new ContentReader(this.#show());
    this.#reader.skip(offset);
  }
}

/** A file of text. A read or write without a method is EINVAL, as in the kernel. */
export interface TextFileSpec {
  readonly mode: number;
  /** Absent: the file cannot be read. */
  show?(): Content;
  /** A read that is too small for the whole text is EINVAL, wherever it begins. */
  readonly inOneRead?: boolean;
  /** Stores the bytes of one write(2). Absent: the file cannot be written. */
  store?(text: string, caller: FileOpener): void | Promise<void>;
  /** Called when the file is opened with O_TRUNC for writing. */
  truncate?(): void | Promise<void>;
  /** Called when it is opened; the returned function is called when it is closed. */
  opened?(flags: OpenFlags): (() => void | Promise<void>) | undefined;
}

class TextHandle implements FileHandle {
  readonly #spec: TextFileSpec;
  readonly #flags: OpenFlags;
  readonly #caller: FileOpener;
  readonly #closed: (() => void | Promise<void>) | undefined;
  readonly #shown: ShownContent;

  constructor(spec: TextFileSpec, flags: OpenFlags, caller: FileOpener) {
    this.#spec = spec;
    this.#flags = flags;
    this.#caller = caller;
    this.#shown = new ShownContent(() => this.#content());
    this.#closed = spec.opened?.(flags);
  }

  read(size: number): Uint8Array {
    if (!this.#flags.read) throw new TraceError('EBADF');
    // The kernel's text ends with a NUL.
    if (this.#spec.inOneRead === true && new ContentReader(this.#content()).read(size).length === size) {
      throw new TraceError('EINVAL', 'the read is too small for the whole content');
    }
    return this.#shown.read(size);
  }

  seek(offset: number): void {
    this.#shown.seek(offset);
  }

  async write(bytes: Uint8Array, caller = this.#caller): Promise<void> {
    if (!this.#flags.write) throw new TraceError('EBADF');
    if (this.#spec.store === undefined) throw new TraceError('EINVAL', 'this file can only be read');
    await this.#spec.store(decoder.decode(bytes), caller);
  }

  async release(): Promise<void> {
    await this.#closed?.();
  }

  #content(): Content {
    if (this.#spec.show === undefined) throw new TraceError('EINVAL', 'this file can only be written');
    return this.#spec.show();
  }
}

/** Makes a file of text. */
export function textFile(spec: TextFileSpec): TraceFile {
  return {
    kind: 'file',
    mode: spec.mode,
    async open(flags, caller) {
      if (flags.write && flags.truncate) await spec.truncate?.();
      return new TextHandle(spec, flags, caller);
    },
  };
}

/** A file that only shows something. */
export const readOnly = (show: () => Content): TraceFile => textFile({ mode: 0o440, show });
