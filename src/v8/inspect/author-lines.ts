import type { Place } from '../../answers/place.js';
import { attempt } from '../../base/attempt.js';
import { readText } from '../loader/source-map.js';

/** The most characters of a line that are shown. */
const MOST = 120;

/** Reads lines of sources; each file once. */
export class AuthorLines {
  readonly #files = new Map<string, readonly string[]>();

  /** The line of a place, without its indentation; undefined if the file cannot be read. */
  at({ file, line }: Place): string | undefined {
    if (!file.startsWith('/')) return undefined;
    let lines = this.#files.get(file);
    if (lines === undefined) {
      lines = attempt(() => readText(file))?.split('\n') ?? [];
      this.#files.set(file, lines);
    }
    const text = lines[line - 1]?.trim();
    return text === undefined || text === '' ? undefined : text.slice(0, MOST);
  }
}
