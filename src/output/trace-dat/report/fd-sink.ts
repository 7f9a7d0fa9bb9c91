import { writeSync } from 'node:fs';
import { writeFully } from '../../../base/write-fully.js';
import type { ReportSink } from './report-options.js';

/** Writes to a file descriptor; waits for a slow pipe, and stops quietly if the reader of a pipe is gone. */
export const fdSink = (fd: number): ReportSink => ({
  write(bytes) {
    try {
      writeFully(fd, bytes, writeSync, Number.POSITIVE_INFINITY);
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EPIPE') return false;
      throw error;
    }
  },
});
