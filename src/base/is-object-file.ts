import { closeSync, openSync, readSync } from 'node:fs';
import { attempt } from './attempt.js';

const ELF = '\x7fELF';

/** Whether a file is one of machine code (ELF); false if it cannot be read. */
export function isObjectFile(path: string): boolean {
  const head = Buffer.alloc(ELF.length);
  const read = attempt(() => {
    const fd = openSync(path, 'r');
    try {
      return readSync(fd, head);
    } finally {
      closeSync(fd);
    }
  });
  return read === ELF.length && head.toString('latin1') === ELF;
}
