import type { Tree } from './tree.js';

const DEFAULT_KB = 4;
const RAW = /^((?:instances\/[^/]+\/)?)per_cpu\/cpu\d+\/(?:trace_pipe|snapshot)_raw$/;
const READ = { read: true, write: false, truncate: false, append: false, nonblock: true };

/** Bytes of a sub-buffer of the buffers that a file of raw pages shows; undefined for every other file. */
export async function subBufferOf(tree: Tree, path: string): Promise<number | undefined> {
  const instance = RAW.exec(path)?.[1];
  return instance === undefined ? undefined : (await kilobytes(tree, `${instance}buffer_subbuf_size_kb`)) * 1024;
}

async function kilobytes(tree: Tree, path: string): Promise<number> {
  try {
    const { handle } = await tree.request('open', { path, flags: READ, pid: process.pid, comm: 'fentry' });
    const { body } = await tree.request('read', { handle, size: 64 });
    await tree.request('release', { handle });
    return Number(Buffer.from(body).toString()) || DEFAULT_KB;
  } catch {
    return DEFAULT_KB;
  }
}
