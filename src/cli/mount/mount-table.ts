import { readFileSync } from 'node:fs';

/** Type and source of fentry's mounts in /proc/mounts. Tools that look for tracefs look for the source. */
export const MOUNT_TYPE = 'fuse.fentry';
export const MOUNT_SOURCE = 'tracefs';

/** One line of /proc/mounts. */
export interface MountLine {
  readonly source: string;
  readonly directory: string;
  readonly type: string;
}

/** Blanks and backslashes in a name are written as octal numbers there. */
const unescaped = (word: string): string =>
  word.replace(/\\([0-7]{3})/g, (_all, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));

/** Reads lines of /proc/mounts. */
export function parseMounts(text: string): readonly MountLine[] {
  return text.split('\n').flatMap((line) => {
    const [source, directory, type] = line.split(' ');
    if (source === undefined || directory === undefined || type === undefined) return [];
    return [{ source: unescaped(source), directory: unescaped(directory), type }];
  });
}

/** Whether the topmost mount at a directory is fentry's. */
export function isMounted(directory: string, mounts = parseMounts(readFileSync('/proc/self/mounts', 'utf8'))): boolean {
  return mounts.findLast((mount) => mount.directory === directory)?.type === MOUNT_TYPE;
}
