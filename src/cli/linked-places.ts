import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { linkedText } from '../answers/place-text.js';

/** A place as traces have it: `(src/cart.ts:12)`, and in the graph at the beginning of a comment. */
const PLACE = /(?<=\(|\/\* )([^\s()*:][^()*:]*):(\d+)(?=\)| )/g;

/**
 * Makes links of the places in lines that are for a terminal, in which control characters are made visible already. A link leads
 * to the file that its text names, and only where there is one.
 * @param folder what relative paths are relative to
 * @param host the name of this machine; undefined: no links are wanted
 */
export function linkedPlaces(folder: string, host: string | undefined): (line: string) => string {
  if (host === undefined) return (line) => line;
  const files = new Map<string, string | undefined>();
  const fileOf = (path: string): string | undefined => {
    if (!files.has(path)) {
      const file = resolve(folder, path);
      files.set(path, existsSync(file) ? file : undefined);
    }
    return files.get(path);
  };
  return (line) =>
    line.replace(PLACE, (text, path: string, number: string) => {
      const file = fileOf(path);
      return file === undefined ? text : linkedText(text, file, Number(number), host);
    });
}
