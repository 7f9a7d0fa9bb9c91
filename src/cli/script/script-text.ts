import { readFileSync } from 'node:fs';
import { TraceError } from '../../base/errno.js';

/** A script's text and how errors name it, and the words behind it. */
export interface GivenScript {
  readonly text: string;
  readonly file: string;
  readonly args: readonly string[];
}

/**
 * The script that a command line gives: the text behind -e, or the file that the first word names, `-` for stdin.
 * @param inline how errors name a text that is no file's
 * @returns undefined if there is none
 */
export function givenScript(program: string | undefined, words: readonly string[], inline: string): GivenScript | undefined {
  if (program !== undefined) return { text: program, file: inline, args: words };
  const [file, ...args] = words;
  if (file === undefined) return undefined;
  if (file === '-') return { text: readFileSync(0, 'utf8'), file: inline, args };
  try {
    return { text: readFileSync(file, 'utf8'), file, args };
  } catch (error) {
    throw new TraceError(
      'ENOENT',
      `${file}: ${(error as NodeJS.ErrnoException).code === 'EISDIR' ? 'a directory' : 'no such file'}`,
    );
  }
}
