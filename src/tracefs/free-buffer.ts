import { TraceError } from '../base/errno.js';
import type { TraceInstance } from '../core/instance.js';
import type { TraceFile } from './node.js';

/**
 * free_buffer: closing it shrinks the buffers to the smallest size, so that a tool that is killed leaves no memory behind. With
 * the option `disable_on_free`, tracing stops first.
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
