import { dirname, join } from 'node:path';
import { lstatSync, readdirSync, rmSync, unlinkSync } from '../untraced-fs.js';

/** The size limit for the entries of one build, in bytes. Beyond it, the oldest are removed until half of it is left. */
const MOST_BYTES = 512 * 1024 * 1024;
/** Milliseconds after which the entries of another build are removed, if none was written since. */
const ABANDONED = 30 * 24 * 3600 * 1000;
/** The folders of builds: versions, and lengths and times in base 36 (cacheFolder). Nothing else is touched. */
const BUILD_FOLDER = /^(\d+\.\d+\.\d+[0-9a-z.-]*-)?[0-9a-z]+-[0-9a-z.]+$/;

/** Limits the size of the cache: removes the oldest entries of `folder`, and unused folders beside it. */
export function evictOldest(folder: string, most = MOST_BYTES, now = Date.now()): void {
  evictEntries(folder, most);
  for (const name of readdirSync(dirname(folder))) {
    const other = join(dirname(folder), name);
    if (other !== folder && BUILD_FOLDER.test(name) && isAbandoned(other, now)) rmSync(other, { recursive: true, force: true });
  }
}

function isAbandoned(folder: string, now: number): boolean {
  const stat = lstatSync(folder, { throwIfNoEntry: false });
  return stat?.isDirectory() === true && now - stat.mtimeMs > ABANDONED;
}

function evictEntries(folder: string, most: number): void {
  const entries = readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    const stat = lstatSync(path, { throwIfNoEntry: false });
    return stat?.isFile() ? [{ path, bytes: stat.size, writtenAt: stat.mtimeMs }] : [];
  });
  let bytes = entries.reduce((sum, entry) => sum + entry.bytes, 0);
  if (bytes <= most) return;
  entries.sort((a, b) => a.writtenAt - b.writtenAt);
  for (const entry of entries) {
    if (bytes <= most / 2) break;
    removeQuietly(entry.path);
    bytes -= entry.bytes;
  }
}

function removeQuietly(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // Another process has removed it.
  }
}
