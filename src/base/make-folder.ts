import { dirname } from 'node:path';
import { mkdirSync } from './untraced-fs.js';

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

function makeOne(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}

/**
 * Creates a folder with mode 0700, and the missing ones above it; an existing one is not changed. Node's own recursive
 * mkdirSync never returns if a folder answers ENOENT to a new folder in it, as those in /proc do.
 */
export function makeFolder(path: string): void {
  try {
    makeOne(path);
  } catch (error) {
    const around = dirname(path);
    if (codeOf(error) !== 'ENOENT' || around === path) throw error;
    makeFolder(around);
    makeOne(path);
  }
}
