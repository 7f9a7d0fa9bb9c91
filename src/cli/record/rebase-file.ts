import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { TEXT_HIGH } from '../../arch/arch.js';
import { rebasePage } from '../../output/trace-dat/index.js';
import { DEFAULT_SUBBUF_BYTES } from '../../ring-buffer/index.js';

/** Bytes read at a time; whole sub-buffers. */
const CHUNK_BYTES = 1 << 20;

/** Gives the addresses in a file of sub-buffers other high bits, so that they differ from those of another process. */
export function rebaseFile(path: string, high: number): void {
  const fd = openSync(path, 'r+');
  try {
    const chunk = new Uint8Array(CHUNK_BYTES);
    for (let at = 0; ; ) {
      const length = readSync(fd, chunk, 0, CHUNK_BYTES, at);
      if (length === 0) return;
      for (let page = 0; page + DEFAULT_SUBBUF_BYTES <= length; page += DEFAULT_SUBBUF_BYTES) {
        rebasePage(chunk.subarray(page, page + DEFAULT_SUBBUF_BYTES), high);
      }
      writeSync(fd, chunk, 0, length, at);
      at += length;
    }
  } finally {
    closeSync(fd);
  }
}

const OWN_HIGH = TEXT_HIGH.toString(16);

/** The same for the lines of a kallsyms text. */
export const rebaseSymbols = (text: string, high: number): string =>
  text.replaceAll(new RegExp(`^${OWN_HIGH}(?=[0-9a-f]{8} )`, 'gm'), high.toString(16).padStart(8, '0'));
