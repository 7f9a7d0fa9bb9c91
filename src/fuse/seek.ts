import type { OpenFile } from './open-files.js';
import type { Tree } from './tree.js';

const MOST_SKIPPED = 65536;

/**
 * Brings a file to another place. A process's open files only go on, so one that is to go back is opened again: it then
 * shows what it holds now, as a seq_file does that is read from the start once more.
 */
export async function seek(tree: Tree, file: OpenFile, offset: number): Promise<void> {
  if (offset < file.position) {
    const flags = { ...file.flags, truncate: false };
    const { handle } = await tree.request('open', { path: file.path, flags, pid: process.pid, comm: 'fentry' });
    const old = file.handle;
    file.handle = handle;
    file.position = 0;
    await tree.request('release', { handle: old });
  }
  while (file.position < offset) {
    const size = Math.min(offset - file.position, MOST_SKIPPED);
    const { body } = await tree.request('read', { handle: file.handle, size });
    if (body.length === 0) break;
    file.position += body.length;
  }
}
