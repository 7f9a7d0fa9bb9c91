import { type FileOpener, O_RDONLY, O_WRONLY_APPEND, type TraceDirectory } from './node.js';
import { lookup } from './path.js';

const KERNEL: FileOpener = { pid: 0, comm: 'swapper' };
const PIECE = 1 << 20;

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

/** The text of a control file. Rejects with the file's TraceError. */
export async function readFrom(root: TraceDirectory, path: string): Promise<string> {
  const file = lookup(root, path);
  if (file.kind !== 'file') return '';
  const handle = await file.open(O_RDONLY, KERNEL);
  const pieces: Uint8Array[] = [];
  try {
    for (;;) {
      const piece = await handle.read(PIECE);
      if (piece.length === 0) break;
      // The next read may use the same memory.
      pieces.push(piece.slice());
    }
  } finally {
    await handle.release();
  }
  return Buffer.concat(pieces).toString();
}
