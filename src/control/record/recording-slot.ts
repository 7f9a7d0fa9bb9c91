import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../base/make-folder.js';
import { slotName } from '../../recording/part-files.js';

const MAX_PROCESSES = 65536;

/**
 * Takes the first number that no other process of the recording has, by creating the file `N.process` with the pid in it. The
 * process's addresses move by it (output/trace-dat/rebase.ts), so that those of several processes differ.
 */
export function takeRecordingSlot(folder: string, pid: number): number {
  makeFolder(folder);
  for (let slot = 0; slot < MAX_PROCESSES; slot++) {
    try {
      const fd = openSync(join(folder, slotName(slot)), 'wx', 0o600);
      writeSync(fd, String(pid));
      closeSync(fd);
      return slot;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
  throw new Error(`${folder}: too many processes`);
}
