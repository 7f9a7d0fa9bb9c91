import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { visible } from '../base/visible.js';
import { isForEyes } from './pager.js';
import { ProgressLine } from './record/progress-line.js';

/** Copies a stream to stdout; on a terminal, control characters are made visible. Returns false if stdout was closed. */
export async function copyToStdout(stream: Readable): Promise<boolean> {
  const decoder = isForEyes() ? new TextDecoder() : undefined;
  for await (const chunk of stream) {
    if (process.stdout.destroyed) return false;
    const bytes = chunk as Uint8Array;
    const shown = decoder === undefined ? bytes : visible(decoder.decode(bytes, { stream: true }));
    if (!process.stdout.write(shown)) await drained(process.stdout);
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

/** Writes text to stdout; on a terminal, control characters are made visible. False: stdout is to be `drained` first. */
export function print(text: string): boolean {
  return process.stdout.write(isForEyes() ? visible(text) : text);
}

/** Prints a message on stderr; on a terminal, control characters are made visible. */
export function complain(message: string): void {
  ProgressLine.giveWay();
  process.stderr.write(`fentry: ${process.stderr.isTTY ? visible(message) : message}\n`);
}

/** If the reader closes its end (head, a pager), the command ends quietly; any other error (a full disk) is printed. */
export function endOnClosedStdout(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit();
    process.stderr.write(`fentry: stdout: ${error.message}\n`);
    process.exit(1);
  });
}
