import { type FileOpener, O_WRONLY_APPEND, type TraceDirectory } from './node.js';
import { lookup } from './path.js';

const KERNEL: FileOpener = { pid: 0, comm: 'swapper' };

/** Writes a line behind what a control file has, as the parameters do. Rejects with the file's TraceError. */
export async function appendTo(root: TraceDirectory, path: string, text: string): Promise<void> {
  const file = lookup(root, path);
  if (file.kind !== 'file') return;
  const handle = await file.open(O_WRONLY_APPEND, KERNEL);
  try {
    await handle.write(Buffer.from(`${text}\n`));
  } finally {
    await handle.release();
  }
}
