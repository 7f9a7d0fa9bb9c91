import { once } from 'node:events';
import type { Readable } from 'node:stream';

/** Copies a stream to stdout; false when nobody reads stdout any more. */
export async function copyToStdout(stream: Readable): Promise<boolean> {
  for await (const chunk of stream) {
    if (process.stdout.destroyed) return false;
    if (!process.stdout.write(chunk as Uint8Array))
      await Promise.race([once(process.stdout, 'drain'), once(process.stdout, 'close')]);
  }
  return true;
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
