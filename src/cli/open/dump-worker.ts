import { parentPort, workerData } from 'node:worker_threads';
import { writeColumns } from '../../dump/columns/columns.js';
import { DUMP_FORMATS, type DumpFormat } from '../../dump/dump-formats.js';
import { dumpedRecording } from '../../dump/dumped-recording.js';
import { type DumpMessage, type DumpTask, LIMIT } from './dump-thread.js';

/** Bytes that are sent together. */
const PIECE = 1 << 18;
const FORMATS: readonly DumpFormat[] = DUMP_FORMATS;

const { file, format, title, pending } = workerData as DumpTask;
const count = new Int32Array(pending);
let piece: Uint8Array<ArrayBuffer> = new Uint8Array(PIECE);
let length = 0;

const post = (message: DumpMessage): void => parentPort!.postMessage(message);

function flush(): void {
  if (length === 0) return;
  for (let now = Atomics.load(count, 0); now >= LIMIT; now = Atomics.load(count, 0)) Atomics.wait(count, 0, now);
  Atomics.add(count, 0, length);
  post({ bytes: piece.subarray(0, length) });
  length = 0;
}

function write(bytes: Uint8Array): boolean {
  if (length + bytes.length > piece.length) flush();
  if (bytes.length > piece.length) piece = new Uint8Array(bytes.length);
  piece.set(bytes, length);
  length += bytes.length;
  return true;
}

try {
  const recording = dumpedRecording(file, undefined, {});
  if (format === 'columns') writeColumns(recording, title, write);
  else {
    const found = FORMATS.find(({ option }) => option === format)!;
    const { dump } = await found.load();
    const beside = (ending: string): never => {
      throw new Error(`--${format} writes several files (${ending})`);
    };
    dump(recording, { write, beside });
  }
  flush();
  post({ done: true });
} catch (error) {
  post({ error: (error as Error).message });
}
