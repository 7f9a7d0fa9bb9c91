import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';

/** Copies a stream to stdout; false when nobody reads stdout any more. */
export async function copyToStdout(stream: Readable): Promise<boolean> {
  for await (const chunk of stream) {
    if (process.stdout.destroyed) return false;
    if (!process.stdout.write(chunk as Uint8Array)) await drained(process.stdout);
  }
  return true;
}

/** Resolves when the stream takes more, or is closed; leaves no listener behind. */
export async function drained(stream: Writable): Promise<void> {
  const settled = new AbortController();
  const { signal } = settled;
  try {
    await Promise.race([once(stream, 'drain', { signal }), once(stream, 'close', { signal })]);
  } finally {
    settled.abort();
  }
}

export function print(text: string): void {
  process.stdout.write(text);
}

/** A reader that closes its end (head, a pager) ends the command quietly. */
export function endQuietlyOnClosedPipe(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit();
  });
}
