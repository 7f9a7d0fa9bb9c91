import type { ServerResponse } from 'node:http';
import { Worker } from 'node:worker_threads';
import { TraceError } from '../../base/errno.js';
import type { ColumnsStart } from '../../timeline/columns-format.js';

/** What the page calls a recording. */
export type PageTitle = Pick<ColumnsStart, 'name' | 'before'>;

/** What the thread is to do. */
export interface DumpTask {
  readonly file: string;
  /** `columns`, or an option of `fentry dump`. */
  readonly format: string;
  /** What the page calls the recording, and the one that it is compared with. */
  readonly title: PageTitle;
  /** Bytes that were sent and not taken yet; the thread waits at `LIMIT`. */
  readonly pending: SharedArrayBuffer;
}

/** What the thread sends. */
export type DumpMessage = { readonly bytes: Uint8Array<ArrayBuffer> } | { readonly error: string } | { readonly done: true };

/** The thread waits while so many bytes are on their way: a slow reader costs no memory. */
export const LIMIT = 32 << 20;

/**
 * Answers with a recording in a format, as it is made: the walk over the recording runs on a thread of its own, which ends with
 * the connection. TraceError EIO, with the reason, if the recording cannot be read.
 */
export function answerDump(file: string, format: string, title: PageTitle, response: ServerResponse): Promise<void> {
  const pending = new SharedArrayBuffer(4);
  const count = new Int32Array(pending);
  const task: DumpTask = { file, format, title, pending };
  const worker = new Worker(new URL('./dump-worker.js', import.meta.url), { workerData: task });
  return new Promise((resolve, reject) => {
    const end = (): void => {
      void worker.terminate();
      resolve();
    };
    response.once('close', end);
    worker.once('error', reject);
    worker.once('exit', end);
    worker.on('message', (message: DumpMessage) => {
      if ('error' in message) {
        reject(new TraceError('EIO', message.error));
        return;
      }
      if (!response.headersSent) response.writeHead(200, { 'content-type': 'application/octet-stream' });
      if ('done' in message) {
        response.end();
        return;
      }
      const { bytes } = message;
      response.write(bytes, () => {
        Atomics.sub(count, 0, bytes.length);
        Atomics.notify(count, 0);
      });
    });
  });
}
