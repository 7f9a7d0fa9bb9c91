import { dirname } from 'node:path';
import { constants, lstatSync, nativeRealpathSync, type Stats } from './untraced-fs.js';

const WRITABLE_BY_GROUP = 0o020;
const WRITABLE_BY_OTHERS = 0o022;
const STICKY = 0o1000;

type Folder = Pick<Stats, 'mode' | 'uid' | 'gid'>;

/** The user of a folder. */
export interface FolderUser {
  readonly uid: number;
  readonly gid: number;
}

/** Whether only the user and root can put anything into a folder, or replace the folder. */
export function isGuarded({ mode, uid: owner, gid: group }: Folder, { uid, gid }: FolderUser, isInnermost: boolean): boolean {
  if (owner !== uid && owner !== 0) return false;
  const writers = mode & WRITABLE_BY_OTHERS;
  if (writers === 0) return true;
  if (isInnermost) return false;
  // In a sticky folder others may create files, but not move this user's folder.
  if ((mode & STICKY) !== 0) return true;
  // If each user has a private group with the same number, folders are writable by the group, which is only the user.
  return writers === WRITABLE_BY_GROUP && owner === uid && group === gid && gid === uid && uid !== 0;
}

/**
 * The folder's path without links, if it is `uid`'s own and only `uid` and root can change what is in it: neither it nor
 * any folder around it may be written by others, as isGuarded says. Undefined otherwise, and when there is none.
 */
export const privateFolder = (path: string, uid: number): string | undefined => guardedFolder(path, uid, false);

/** The path, as privateFolder gives it, of a folder that may be root's, too: only `uid` and root can change what is in it. */
export const trustedFolder = (path: string, uid: number): string | undefined => guardedFolder(path, uid, true);

function guardedFolder(path: string, uid: number, mayBeRoots: boolean): string | undefined {
  try {
    const real = nativeRealpathSync(path);
    const user = { uid, gid: process.getegid?.() ?? -1 };
    let folder = real;
    let stat = lstatSync(real);
    if ((stat.mode & constants.S_IFMT) !== constants.S_IFDIR || !isGuarded(stat, user, true)) return undefined;
    if (stat.uid !== uid && !mayBeRoots) return undefined;
    for (let around = dirname(folder); around !== folder; around = dirname(folder)) {
      folder = around;
      stat = lstatSync(folder);
      if (!isGuarded(stat, user, false)) return undefined;
    }
    return real;
  } catch {
    return undefined;
  }
}
