import { closeSync, openSync } from 'node:fs';
import { say } from '../../base/say.js';
import { writeFully } from '../../base/write-fully.js';

const STDERR = 2;

/**
 * Writes a dump to stderr, or appends it to a file. The program is dying: an error is only reported.
 * @param path `%p` in it is the process's id; undefined is stderr
 */
export function writeDump(dump: Iterable<string | Uint8Array>, path: string | undefined): void {
  try {
    const fd = path === undefined ? STDERR : openSync(path.replaceAll('%p', String(process.pid)), 'a', 0o600);
    try {
      for (const piece of dump) writeFully(fd, Buffer.from(piece));
    } finally {
      if (fd !== STDERR) closeSync(fd);
    }
  } catch (error) {
    say(`the buffers could not be dumped: ${(error as Error).message}`);
  }
}
