import { writeSync } from '../../base/own-fs.js';
import { writeFully } from '../../base/write-fully.js';

const STDERR = 2;

/** Writes the line of a record to stderr. If that is closed or full, the line is lost. */
export function printLine(text: Uint8Array): void {
  try {
    writeFully(STDERR, text, writeSync);
  } catch {
    // The program shall not notice.
  }
}
