import { isAbsolute } from 'node:path';
import { fileURLToPath } from 'node:url';
import { statSync } from '../../base/own-fs.js';

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true;

/** A program may put a query after the path, and write blanks as a URL does. */
const candidates = (path: string): readonly string[] => {
  const plain = path.includes('?') ? [path, path.slice(0, path.indexOf('?'))] : [path];
  return path.includes('%') ? [...plain, ...plain.map(decodeURIComponent)] : plain;
};

/**
 * The file that a program gives as the name of a text that it compiles itself: an absolute path or a `file:` URL of a file that
 * exists. Undefined for any other name.
 */
export const fileOfName = (name: string): string | undefined => {
  try {
    const path = name.startsWith('file:') ? fileURLToPath(name) : name;
    return isAbsolute(path) ? candidates(path).find(isFile) : undefined;
  } catch {
    return undefined;
  }
};
