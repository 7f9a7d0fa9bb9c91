import { closeSync, openSync } from 'node:fs';
import { TraceError } from '../../base/errno.js';

/** Opens /dev/fuse for mount(8) and the server; the message of an error says what to do. */
export function openFuseDevice(): number {
  try {
    return openSync('/dev/fuse', 'r+');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EACCES' || code === 'EPERM')
      throw new TraceError('EACCES', 'no permission to open /dev/fuse: run as root, or use fentry sh');
    throw new TraceError('ENODEV', `FUSE is not available (${message.replace(/, open .*/, '')}); fentry sh does not need it`);
  }
}

export const closeFuseDevice = (fd: number): void => closeSync(fd);
