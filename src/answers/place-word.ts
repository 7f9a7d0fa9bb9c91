import type { Place } from './place.js';

/** The most characters of a file's name: as many as a path of Linux has. A module can have a URL of megabytes. */
const MOST = 4096;
/** What would break a line, be taken for an escape, or for a place without a file. */
const ODD = /^:|[\u0000-\u001f\u007f\\]/g;
const ESCAPE = /\\([0-7]{3})/g;
/** A file without a name: V8 allows it. */
const NAMELESS = '<anonymous>';

/** A file's name in one line, with odd characters as `\012`, as the kernel has paths in /proc (mangle_path in fs/seq_file.c). */
export function fileWord(file: string): string {
  const cut = file.length > MOST ? `${file.slice(0, MOST - 3)}...` : file;
  return cut === '' ? NAMELESS : cut.replace(ODD, (character) => `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`);
}

/** The name that `fileWord` has written. */
export const fileOfWord = (word: string): string =>
  word.replace(ESCAPE, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));

/** `file:line:column`, in one line: as control files and recordings have a place. */
export const placeWord = ({ file, line, column }: Place): string => `${fileWord(file)}:${line}:${column}`;

const WORD = /^(.*):(\d{1,10}):(\d{1,10})$/s;

/** The place that `placeWord` has written; undefined for another text. */
export function placeOfWord(word: string): Place | undefined {
  const [, file, line, column] = WORD.exec(word) ?? [];
  return file === undefined ? undefined : { file: fileOfWord(file), line: Number(line), column: Number(column) };
}
