import { TraceError } from '../../base/errno.js';
import type { FileOpener, TraceFile } from '../tracefs/node.js';
import type { TraceInstance } from './instance.js';

/** @throws TraceError EBUSY if somebody records the instance already */
function claim(instance: TraceInstance, { pid, comm }: FileOpener): void {
  if (instance.recorder !== undefined) throw new TraceError('EBUSY', `it is recorded already, by ${instance.recorder}`);
  instance.recorder = `process ${pid} (${comm})`;
}

/**
 * free_buffer: closing it shrinks the buffers to the smallest size, so that a tool that is killed leaves no memory behind. With
 * the option `disable_on_free`, tracing stops first. Who opens it with O_EXCL takes what the buffers have, alone: a second
 * recorder would get some of the events, and its end would stop the first.
 */
export const freeBuffer = (instance: TraceInstance): TraceFile => ({
  kind: 'file',
  mode: 0o200,
  open({ exclusive = false }, caller) {
    if (exclusive) claim(instance, caller);
    return {
      read() {
        throw new TraceError('EINVAL', 'this file can only be written');
      },
      write() {},
      async release() {
        try {
          if (instance.options.disable_on_free) await instance.setTracingOn(false);
          await instance.resize(undefined, 0);
        } finally {
          if (exclusive) instance.recorder = undefined;
        }
      },
    };
  },
});
