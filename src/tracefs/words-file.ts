import { TraceError } from '../base/errno.js';
import type { Caller, FileHandle, OpenFlags, TraceFile } from './node.js';
import { type Content, ContentReader } from './text-file.js';

/** The longest word (FTRACE_BUFF_MAX); a longer one is EINVAL. */
const MAX_WORD = 669;

/** One opening of the file for writing: words come in one by one, and take effect when it is closed. */
export interface WordsEditor {
  /** Throws a TraceError that fails the write; the words before it hold. */
  word(text: string): void;
  /** All words of one write were taken: what of them does not wait for the closing is to hold now. */
  written?(): void | Promise<void>;
  close(): void | Promise<void>;
}

/** A file of words: what it shows, and who takes the words. */
export interface WordsFileSpec {
  readonly mode: number;
  /** The last word of a write needs no white space after it: it does not go on in the next write. */
  readonly endsWithWrite?: boolean;
  show(): Content;
  /** @param truncate the file was opened with `>`: what it held goes */
  edit(truncate: boolean, caller: Caller): WordsEditor;
}

/**
 * A file that is written in words, separated by white space, which may be cut anywhere between two writes
 * (trace_get_user). The last word needs no white space after it: closing the file takes it, and then its error is lost.
 */
class WordsHandle implements FileHandle {
  readonly #spec: WordsFileSpec;
  readonly #flags: OpenFlags;
  readonly #caller: Caller;
  /** Undefined while nothing was written since a flush. */
  #editor: WordsEditor | undefined;
  #hasWritten = false;
  readonly #decoder = new TextDecoder();
  #rest = '';
  #reader: ContentReader | undefined;

  constructor(spec: WordsFileSpec, flags: OpenFlags, caller: Caller) {
    this.#spec = spec;
    this.#flags = flags;
    this.#caller = caller;
    this.#editor = flags.write ? spec.edit(flags.truncate, caller) : undefined;
  }

  read(size: number): Uint8Array {
    if (!this.#flags.read) throw new TraceError('EBADF');
    this.#reader ??= new ContentReader(this.#spec.show());
    return this.#reader.read(size);
  }

  async write(bytes: Uint8Array): Promise<void> {
    if (!this.#flags.write) throw new TraceError('EBADF');
    const editor = (this.#editor ??= this.#spec.edit(false, this.#caller));
    this.#hasWritten = true;
    const words = (this.#rest + this.#decoder.decode(bytes, { stream: true })).split(/[\s\0]+/);
    const rest = this.#spec.endsWithWrite === true ? '' : (words.pop() ?? '');
    // A refused word takes along what it was cut from.
    this.#rest = '';
    try {
      for (const word of words) if (word !== '') editor.word(checked(word));
      this.#rest = checked(rest);
    } finally {
      await editor.written?.();
    }
  }

  /** A shell closes the descriptor that it opened before it writes to the copy: that flush must not end the words. */
  async flush(): Promise<void> {
    if (this.#hasWritten) await this.release();
  }

  async release(): Promise<void> {
    const editor = this.#editor;
    if (editor === undefined) return;
    const rest = this.#rest;
    this.#editor = undefined;
    this.#hasWritten = false;
    this.#rest = '';
    if (rest !== '') {
      try {
        editor.word(rest);
      } catch (error) {
        if (!(error instanceof TraceError)) throw error;
      }
    }
    await editor.written?.();
    await editor.close();
  }
}

function checked(word: string): string {
  if (word.length > MAX_WORD) throw new TraceError('EINVAL', 'word too long');
  return word;
}

/** Makes a file of words. */
export function wordsFile(spec: WordsFileSpec): TraceFile {
  return { kind: 'file', mode: spec.mode, open: (flags, caller) => new WordsHandle(spec, flags, caller) };
}
