import { dirname } from 'node:path';
import { isGuarded } from '../private-folder.js';
import { constants, lstatSync, nativeRealpathSync } from '../untraced-fs.js';
import { BUILD_NAME } from '../version.js';

const isFolder = (mode: number): boolean => (mode & constants.S_IFMT) === constants.S_IFDIR;

/** Why a folder is not one that only a user and root can change; undefined: it is. Throws if there is none. */
const distrust = (path: string, uid: number): string | undefined => {
  const user = { uid, gid: process.getegid?.() ?? -1 };
  const innermost = nativeRealpathSync(path);
  if (!isFolder(lstatSync(innermost).mode)) return 'it is not a folder';
  for (let folder = innermost; ; folder = dirname(folder)) {
    const stat = lstatSync(folder);
    if (!isGuarded(stat, user, folder === innermost)) {
      return stat.uid !== uid && stat.uid !== 0
        ? `${folder} belongs to user ${stat.uid}, and only what is yours or root’s is trusted`
        : `other users can write to ${folder} (mode ${(stat.mode & 0o7777).toString(8)})`;
    }
    if (folder === dirname(folder)) return undefined;
  }
};

/**
 * Why a prepared cache is not used; undefined: its folder can be.
 * @param folder that of a build in it (`preparedFolders`)
 */
export function preparedRefusal(folder: string, uid: number): string | undefined {
  try {
    return distrust(folder, uid);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    try {
      lstatSync(dirname(folder));
    } catch {
      return 'there is no such folder';
    }
    return code === 'ENOENT' ? `it has nothing for this build of fentry (${BUILD_NAME})` : `it cannot be read: ${code}`;
  }
}
