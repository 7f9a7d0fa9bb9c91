import { closeSync, openSync, writeSync } from 'node:fs';
import { say } from '../say.js';

const STDERR = 2;
/** How long to wait for somebody to read a full pipe, in milliseconds; and how often before the rest is given up. */
const PAUSE = 5;
const TRIES = 400;

const pause = new Int32Array(new SharedArrayBuffer(4));

/**
 * Writes a dump to stderr, or appends it to a file. The program is dying: whatever goes wrong is told and no more.
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

function writeFully(fd: number, bytes: Uint8Array): void {
  let tries = 0;
  for (let done = 0; done < bytes.length; ) {
    try {
      done += writeSync(fd, bytes, done);
      tries = 0;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN' || ++tries > TRIES) throw error;
      Atomics.wait(pause, 0, 0, PAUSE);
    }
  }
}
