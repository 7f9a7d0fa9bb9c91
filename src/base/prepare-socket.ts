import { constants } from 'node:fs';
import { dirname } from 'node:path';
import { ERRNO, type Errno, TraceError } from './errno.js';
import { makeSocketDirectory } from './socket-directory.js';
import { accessSync } from './untraced-fs.js';

/** Bytes of the path of a socket that the system takes (sun_path, with the zero at its end). */
const LONGEST_PATH = 107;

const isErrno = (code: string | undefined): code is Errno => code !== undefined && code in ERRNO;

/**
 * Makes the folder of a control socket, and sees whether a socket can be made there.
 * @throws TraceError as checkSocketDirectory; ENAMETOOLONG; what the system says of making the folder, or of writing in it
 */
export function prepareSocket(path: string, uid: number): void {
  const bytes = Buffer.byteLength(path);
  if (bytes > LONGEST_PATH) {
    throw new TraceError('ENAMETOOLONG', `${path}: ${bytes} bytes, and the path of a socket has at most ${LONGEST_PATH}`);
  }
  const folder = dirname(path);
  try {
    makeSocketDirectory(folder, uid);
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    if (error instanceof TraceError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    const why = 'the folder of control sockets cannot be made or written to; FENTRY_DIR names another one';
    throw new TraceError(isErrno(code) ? code : 'EIO', `${folder}: ${why}`);
  }
}
