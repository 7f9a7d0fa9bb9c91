import * as fs from 'node:fs';
import { dirname } from 'node:path';

/** Taken before the program may put its own in its place. */
const { mkdirSync } = fs;

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

function makeOne(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}

/**
 * Makes a folder with mode 0700, and those around it that are missing; one that exists stays as it is. Node's own recursive
 * mkdirSync never returns where a folder says ENOENT to a new one in it, as those in /proc do.
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
