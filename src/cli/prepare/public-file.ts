import { chmodSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';

/** Everybody may read them, whatever the umask is, and only the owner may write. */
const FILE_MODE = 0o644;
const FOLDER_MODE = 0o755;

/** Writes a file that other users may read. Others see the whole of it or the one before. @param write writes to a path */
export function publicFile(path: string, write: (path: string) => void): void {
  const temporary = `${path}.${process.pid}`;
  try {
    write(temporary);
    chmodSync(temporary, FILE_MODE);
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** Makes a folder that other users may read, and those around it that are missing. One that is there stays as it is. */
export function publicFolder(path: string): void {
  try {
    mkdirSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return;
    if (code !== 'ENOENT' || dirname(path) === path) throw error;
    publicFolder(dirname(path));
    mkdirSync(path);
  }
  chmodSync(path, FOLDER_MODE);
}
