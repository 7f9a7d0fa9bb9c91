import { writeSync } from 'node:fs';
import type { ReportSink } from './report-options.js';

const PAUSE_MS = 5;

/** Writes to a file descriptor; waits for a slow pipe, and stops quietly if the reader of a pipe is gone. */
export function fdSink(fd: number): ReportSink {
  const pause = new Int32Array(new SharedArrayBuffer(4));
  return {
    write(bytes) {
      for (let done = 0; done < bytes.length; ) {
        try {
          done += writeSync(fd, bytes, done, bytes.length - done);
        } catch (error) {
          const { code } = error as NodeJS.ErrnoException;
          if (code === 'EPIPE') return false;
          if (code !== 'EAGAIN') throw error;
          Atomics.wait(pause, 0, 0, PAUSE_MS);
        }
      }
      return true;
    },
  };
}
