import { TraceError } from '../base/errno.js';
import type { TraceInstance } from '../core/instance.js';
import type { TraceFile } from './node.js';

/**
 * free_buffer: closing it takes the buffers' memory away, all but the smallest, so that a tool which ends by accident leaves
 * nothing behind. With the option `disable_on_free` tracing stops before.
 */
export const freeBuffer = (instance: TraceInstance): TraceFile => ({
  kind: 'file',
  mode: 0o200,
  open: () => ({
    read() {
      throw new TraceError('EINVAL', 'this file can only be written');
    },
    write() {},
    async release() {
      if (instance.options.disable_on_free) await instance.setTracingOn(false);
      await instance.resize(undefined, 0);
    },
  }),
});
