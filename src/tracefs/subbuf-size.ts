import type { TraceInstance } from '../core/instance.js';
import { refusal } from '../core/refusal.js';
import { DEFAULT_SUBBUF_BYTES } from '../ring-buffer/index.js';
import type { TraceFile } from './node.js';
import { parseUnsigned } from './numbers.js';
import { textFile } from './text-file.js';

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
