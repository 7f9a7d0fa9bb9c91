import { TraceError } from '../base/errno.js';
import type { TraceInstance } from '../core/instance.js';
import type { FileHandle, TraceFile } from './node.js';

/** trace_marker: each write becomes a print record of the writing task. EINVAL while the option `markers` is off. */
export const traceMarker = (instance: TraceInstance): TraceFile => ({
  kind: 'file',
  mode: 0o220,
  open: (_flags, opener): FileHandle => ({
    read() {
      throw new TraceError('EINVAL', 'this file can only be written');
    },
    async write(bytes, caller = opener) {
      if (!instance.options.markers) throw new TraceError('EINVAL', 'the option markers is off');
      if (!instance.tracingOn) throw new TraceError('EBADF', 'tracing is off');
      await instance.host.mark(bytes, caller.pid, caller.comm);
    },
    release() {},
  }),
});
