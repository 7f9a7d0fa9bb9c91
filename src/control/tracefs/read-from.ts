import { type FileOpener, O_RDONLY, type TraceDirectory } from './node.js';
import { lookup } from './path.js';

const KERNEL: FileOpener = { pid: 0, comm: 'swapper' };
const PIECE = 1 << 20;

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
