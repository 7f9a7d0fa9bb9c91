import { TraceError } from '../../base/errno.js';
import { MAX_MARK_BYTES, MAX_RAW_MARK_BYTES, RAW_ID_BYTES } from '../../ftrace/marker.js';
import type { FileHandle, FileOpener, TraceFile } from '../tracefs/node.js';
import type { TraceInstance } from './instance.js';

/** Records the bytes of one write(2); returns false if the buffer refused them. */
type Mark = (bytes: Uint8Array, caller: FileOpener) => boolean | Promise<boolean>;

/** A file whose writes become records. EINVAL while the option `markers` is off, EBADF if the buffer refuses it. */
const markerFile = (instance: TraceInstance, mark: Mark): TraceFile => ({
  kind: 'file',
  mode: 0o220,
  open: (_flags, opener): FileHandle => ({
    read() {
      throw new TraceError('EINVAL', 'this file can only be written');
    },
    async write(bytes, caller = opener) {
      if (!instance.options.markers) throw new TraceError('EINVAL', 'the option markers is off');
      if (!(await mark(bytes, caller))) throw new TraceError('EBADF', 'tracing is off, or the buffer is full');
    },
    release() {},
  }),
});

/**
 * trace_marker: each write becomes a print record of the writing task; a long write becomes several, because the kernel takes
 * only so much at once.
 */
export const traceMarker = (instance: TraceInstance): TraceFile =>
  markerFile(instance, async (bytes, { pid, comm }) => {
    for (let from = 0; from < bytes.length; from += MAX_MARK_BYTES) {
      if (!(await instance.marks.mark(bytes.subarray(from, from + MAX_MARK_BYTES), pid, comm))) return false;
    }
    return true;
  });

/** trace_marker_raw: each write, an id of four bytes and what belongs to it, becomes a raw_data record. */
export const traceMarkerRaw = (instance: TraceInstance): TraceFile =>
  markerFile(instance, (bytes, { pid, comm }) => {
    if (bytes.length < RAW_ID_BYTES || bytes.length > MAX_RAW_MARK_BYTES) {
      throw new TraceError(
        'EINVAL',
        `must be an id of ${RAW_ID_BYTES} bytes and its data, at most ${MAX_RAW_MARK_BYTES} bytes together`,
      );
    }
    return instance.marks.markRaw(bytes, pid, comm);
  });
