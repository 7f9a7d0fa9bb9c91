import { DEFAULT_SUBBUF_BYTES } from '../../ring-buffer/index.js';
import type { TraceFile } from '../tracefs/node.js';
import { parseUnsigned } from '../tracefs/numbers.js';
import { refusal } from '../tracefs/refusal.js';
import { textFile } from '../tracefs/text-file.js';
import type { TraceInstance } from './instance.js';

const SIZE_KB = DEFAULT_SUBBUF_BYTES / 1024;

/** buffer_subbuf_size_kb: what is written is rounded up to pages; sub-buffers have one. */
export const bufferSubbufSizeKb = (instance: TraceInstance): TraceFile =>
  textFile({
    mode: 0o640,
    show: () => `${SIZE_KB}\n`,
    store(text) {
      const kb = parseUnsigned(text);
      if (kb > 0 && kb <= SIZE_KB) return;
      throw refusal(instance, {
        location: 'buffer_subbuf_size_kb',
        message: `Sub-buffers of ${SIZE_KB} KiB are the only ones in this version of fentry`,
        command: text.trim(),
      });
    },
  });
