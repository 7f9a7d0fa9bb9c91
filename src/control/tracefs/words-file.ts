import { TraceError } from '../../base/errno.js';
import type { FileHandle, FileOpener, OpenFlags, TraceFile } from './node.js';
import { type Content, ShownContent } from './text-file.js';

/** The longest word (FTRACE_BUFF_MAX); a longer one is EINVAL. */
const MAX_WORD = 669;

/** One opening of the file for writing: words come in one by one, and take effect when it is closed. */
export interface WordsEditor {
  /** Throws a TraceError that fails the write; the words before it hold. */
  word(text: string): void;
  /** All words of one write were taken: what of them does not wait for the closing is to hold now. */
  written?(): void | Promise<void>;
  /**
   * What was written takes effect.
   * @param last what stands behind the last white space, taken for a word: its error is lost. More may be written, which goes on
   * where that ended, as if it had not been a word yet
   */
  close(last: string): void | Promise<void>;
}

/** Gives the last word of a closing to `word`. */
export function takeLastWord(last: string, word: (text: string) => void): void {
  if (last === '') return;
  try {
    word(last);
  } catch (error) {
    if (!(error instanceof TraceError)) throw error;
  }
}

/** A file of words: what it shows, and who takes the words. */
export interface WordsFileSpec {
  readonly mode: number;
  /** The last word of a write needs no white space after it: it does not go on in the next write. */
  readonly endsWithWrite?: boolean;
  show(): Content;
  /** @param truncate the file was opened with `>`: what it held goes */
  edit(truncate: boolean, caller: FileOpener): WordsEditor;
}

/**
 * A file that is written in words, separated by white space, which may be cut anywhere between two writes
 * (trace_get_user). The last word needs no white space after it: closing the file takes it, and then its error is lost.
 */
class WordsHandle implements FileHandle {
  readonly #spec: WordsFileSpec;
  readonly #flags: OpenFlags;
  readonly #editor: WordsEditor | undefined;
  /** Since the last flush. */
  #hasWritten = false;
  #isFlushed = false;
  readonly #decoder = new TextDecoder();
  #rest = '';
  readonly #shown: ShownContent;

  constructor(spec: WordsFileSpec, flags: OpenFlags, caller: FileOpener) {
    this.#spec = spec;
    this.#flags = flags;
    this.#shown = new ShownContent(() => spec.show());
    this.#editor = flags.write ? spec.edit(flags.truncate, caller) : undefined;
  }

  read(size: number): Uint8Array {
    if (!this.#flags.read) throw new TraceError('EBADF');
    return this.#shown.read(size);
  }

  seek(offset: number): void {
    this.#shown.seek(offset);
  }

  async write(bytes: Uint8Array): Promise<void> {
    const editor = this.#editor;
    if (editor === undefined) throw new TraceError('EBADF');
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

  /**
   * A shell closes the descriptor that it opened before it writes to the copy: that flush must not end anything. Another process
   * may write on into the same open file after this one has closed it.
   */
  async flush(): Promise<void> {
    if (!this.#hasWritten) return;
    this.#hasWritten = false;
    await this.#close();
  }

  async release(): Promise<void> {
    if (this.#isFlushed && !this.#hasWritten) return;
    await this.#close();
  }

  async #close(): Promise<void> {
    this.#isFlushed = true;
    await this.#editor?.close(this.#rest);
    await this.#editor?.written?.();
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
