import { writeSync } from 'node:fs';
import { pause } from './pause.js';

/** How long to wait for the reader of a full pipe, in milliseconds; and how often before giving up. */
const PAUSE = 5;
const TRIES = 400;

/**
 * Writes all the bytes, in as many pieces as the system takes them. Throws the errors of writeSync; EAGAIN after 2 s of it.
 * @param write on a thread of the program that of base/untraced-fs.ts, which is no event
 * @param most how often to wait for a reader that takes nothing
 */
export function writeFully(fd: number, bytes: Uint8Array, write: typeof writeSync = writeSync, most = TRIES): void {
  let tries = 0;
  for (let done = 0; done < bytes.length; ) {
    try {
      done += write(fd, bytes, done);
      tries = 0;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN' || ++tries > most) throw error;
      pause(PAUSE);
    }
  }
}
