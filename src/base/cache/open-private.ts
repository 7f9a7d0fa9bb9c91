import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from '../untraced-fs.js';

/** A FIFO in the place of a file must not be waited for. */
const SAFELY = constants.O_NOFOLLOW | constants.O_NONBLOCK;
/** Permissions of a file that another user could have written. */
const WRITABLE_BY_OTHERS = 0o022;

/** A file that is open for reading. */
export interface PrivateFile {
  readonly fd: number;
  /** Bytes. */
  readonly size: number;
  /** When it was written, in milliseconds since 1970. */
  readonly writtenAt: number;
}

/** Whether this is a file that only the user and root can have written, in a folder that is the user's own. */
export const isPrivateFile = ({ mode, uid: owner }: Pick<Stats, 'mode' | 'uid'>, uid: number): boolean =>
  (mode & constants.S_IFMT) === constants.S_IFREG && owner === uid && (mode & WRITABLE_BY_OTHERS) === 0;

/** Whether this is a file that only the user or root can have written: it belongs to one of them. */
export const isTrustedFile = (stat: Pick<Stats, 'mode' | 'uid'>, uid: number): boolean =>
  isPrivateFile(stat, uid) || isPrivateFile(stat, 0);

/**
 * What `use` makes of a file that only this user can have written; undefined when it is none, or `use` throws.
 * @param isAllowed by default `isPrivateFile`
 */
export function openPrivate<T>(
  path: string,
  mode: number,
  uid: number,
  use: (file: PrivateFile) => T | undefined,
  isAllowed = isPrivateFile,
): T | undefined {
  let fd: number | undefined;
  try {
    fd = openSync(path, mode | SAFELY);
    const stat = fstatSync(fd);
    if (!isAllowed(stat, uid)) return undefined;
    return use({ fd, size: stat.size, writtenAt: stat.mtimeMs });
  } catch {
    return undefined;
  } finally {
    if (fd !== undefined) closeQuietly(fd);
  }
}

/** Fills `into` from a place of a file; false when the file ends before. */
export const readWhole = (fd: number, into: NodeJS.ArrayBufferView, position: number): boolean =>
  readSync(fd, into, 0, into.byteLength, position) === into.byteLength;

export const closeQuietly = (fd: number): void => {
  try {
    closeSync(fd);
  } catch {
    // The file was read or not; nothing depends on closing.
  }
};
