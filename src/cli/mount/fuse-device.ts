import { closeSync, openSync } from 'node:fs';
import { TraceError } from '../../base/errno.js';

/** Opens /dev/fuse, to be given to mount(8) and to the server; the words of an error say what to do. */
export function openFuseDevice(): number {
  try {
    return openSync('/dev/fuse', 'r+');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EACCES' || code === 'EPERM')
      throw new TraceError('EACCES', '/dev/fuse may not be opened: be root, or use fentry sh');
    throw new TraceError('ENODEV', `there is no FUSE here (${message.replace(/, open .*/, '')}); fentry sh needs none`);
  }
}

export const closeFuseDevice = (fd: number): void => closeSync(fd);
