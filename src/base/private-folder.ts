import * as fs from 'node:fs';
import { dirname } from 'node:path';

/** Taken before the program may put its own in their place. */
const { lstatSync, realpathSync } = fs;

const WRITABLE_BY_OTHERS = 0o022;
const STICKY = 0o1000;

/** Whether nobody but `uid` and root can put anything into the folder, or another folder in its place. */
function isGuarded(folder: string, uid: number, inner: string): boolean {
  const { mode, uid: owner } = lstatSync(folder);
  if (owner !== uid && owner !== 0) return false;
  // In a sticky folder others may make files, but not move this user's folder away.
  return (mode & WRITABLE_BY_OTHERS) === 0 || (inner !== '' && (mode & STICKY) !== 0);
}

/**
 * The folder's path without links, if it is `uid`'s own and nobody but `uid` and root can change what is in it: neither it nor
 * any folder around it may be written by others. Undefined otherwise, and when there is none.
 */
export function privateFolder(path: string, uid: number): string | undefined {
  try {
    const real = realpathSync.native(path);
    const stat = lstatSync(real);
    if (!stat.isDirectory() || stat.uid !== uid) return undefined;
    for (let folder = real, inner = ''; ; inner = folder, folder = dirname(folder)) {
      if (!isGuarded(folder, uid, inner)) return undefined;
      if (folder === dirname(folder)) return real;
    }
  } catch {
    return undefined;
  }
}
