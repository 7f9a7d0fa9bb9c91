import { constants } from 'node:fs';
import { TraceError } from '../base/errno.js';
import type { SessionOpenFlags } from '../base/session-protocol.js';
import { callerOf, type Mount, NOTHING, type Operation } from './context.js';
import { ENOTTY, FuseError } from './fuse-error.js';
import {
  FOPEN,
  HANDLE_IN,
  IOCTL_IN,
  IOCTL_OUT,
  OPEN_IN,
  OPEN_OUT,
  type Opcode,
  POLL_IN,
  POLL_OUT,
  POLL_SCHEDULE_NOTIFY,
  READ_IN,
  WRITE_OUT,
} from './protocol.js';

const { O_ACCMODE, O_RDONLY, O_WRONLY, O_TRUNC, O_APPEND, O_NONBLOCK, O_DIRECT } = { ...constants, O_ACCMODE: 3 };
/** POLLIN | POLLRDNORM, POLLOUT | POLLWRNORM. */
const READABLE = 0x41;
const WRITABLE = 0x104;
/** The ioctl of a trace_pipe_raw that wakes its readers, before they end. */
const WAKE_READERS = 0;

/** The place of a file whose last read failed. */
const NOWHERE = -1;

/** Files of raw pages, which are spliced. */
const RAW = /(?:^|\/)(?:trace_pipe|snapshot)_raw$/;
/** Files that have no places: lseek(2) is ESPIPE. */
const STREAM = /(?:^|\/)(?:trace_pipe|trace_pipe_raw|snapshot_raw|trace_marker|trace_marker_raw|free_buffer)$/;
/** Files that poll(2) waits for; all others can always be read and written (DEFAULT_POLLMASK). */
const POLLED = /(?:^|\/)(?:trace_pipe|trace_pipe_raw|snapshot_raw)$/;
/** Files of text that the kernel splices; of others splice(2) and sendfile(2) are EINVAL. */
const SPLICED_TEXT = /(?:^|\/)trace$/;

/** Files whose writes leave the place where it was: what is read next begins there (those whose write function keeps `*ppos`). */
const KEEPS_PLACE =
  /(?:^|\/)(?:[ku]probe_events|dynamic_events|synthetic_events|tracing_(?:thresh|cpumask|max_latency)|error_log|trace|stack_max_size|hwlat_detector\/(?:width|window))$/;

/**
 * From this version of the protocol on (Linux 6.5), splice(2) and sendfile(2), by which busybox's cat reads, end at the size that
 * the kernel has of a file; before, they read until the file's end.
 */
const SPLICE_ENDS_AT_SIZE = 38;
const SPLICED_BYTES = 2 ** 40;
/** A task's own read has its pid, and a read of pages for a splice does not. */
const READ_LOCKOWNER = 1 << 1;

const openFlags = (flags: number): SessionOpenFlags => ({
  read: (flags & O_ACCMODE) !== O_WRONLY,
  write: (flags & O_ACCMODE) !== O_RDONLY,
  truncate: (flags & O_TRUNC) !== 0,
  append: (flags & O_APPEND) !== 0,
  nonblock: (flags & O_NONBLOCK) !== 0,
});

/** Open files. */
export const FILE_OPERATIONS = {
  async OPEN({ channel, tree, nodes, files, minor }, request, signal) {
    const path = nodes.pathOf(request.nodeid);
    const { flags: wanted } = OPEN_IN.read(request.body, 0);
    if ((wanted & O_DIRECT) !== 0) throw new TraceError('EINVAL', 'there is no cache that O_DIRECT could bypass');
    const flags = openFlags(wanted);
    const { handle } = await tree.request('open', { path, flags, ...callerOf(request) }, { signal });
    const isRaw = RAW.test(path);
    const isStream = STREAM.test(path);
    const fh = files.add({ handle, path, flags, isRaw, isStream, position: 0, ahead: 0, isPolled: false, waiting: undefined });
    if (flags.read && !isRaw && minor >= SPLICE_ENDS_AT_SIZE) channel.notifySize(request.nodeid, SPLICED_BYTES);
    const streams = isStream ? FOPEN.NONSEEKABLE | FOPEN.STREAM : 0;
    return [OPEN_OUT.write({ fh, openFlags: FOPEN.DIRECT_IO | (flags.write ? 0 : FOPEN.NOFLUSH) | streams })];
  },

  async READ({ tree, files, minor }, { body }, signal) {
    const { fh, offset: asked, size, readFlags, flags } = READ_IN.read(body, 0);
    const file = files.get(fh);
    // Somebody has set the place by lseek(2).
    if (asked < file.ahead) file.ahead = 0;
    const offset = asked - file.ahead;
    const isSpliced = minor >= SPLICE_ENDS_AT_SIZE && (readFlags & READ_LOCKOWNER) === 0;
    if (isSpliced && !file.isRaw && !SPLICED_TEXT.test(file.path)) throw new TraceError('EINVAL', 'this file cannot be spliced');
    const place = file.isStream || offset === file.position ? {} : { offset };
    // After a failed read, the place is unknown.
    file.position = NOWHERE;
    // A splice waits where no signal reaches it; a caller that polls first does not wait here.
    const nonblock = (flags & O_NONBLOCK) !== 0 || (file.isPolled && file.isRaw);
    const { body: bytes } = await tree.request('read', { handle: file.handle, size, nonblock, ...place }, { signal });
    file.position = offset + bytes.length;
    return [bytes];
  },

  async WRITE({ tree, files }, request) {
    const { fh, size } = READ_IN.read(request.body, 0);
    const file = files.get(fh);
    const { handle } = file;
    const body = Buffer.from(request.body.subarray(READ_IN.size, READ_IN.size + size));
    await tree.request('write', { handle, ...callerOf(request) }, { body });
    if (KEEPS_PLACE.test(file.path)) file.ahead += size;
    return [WRITE_OUT.write({ size })];
  },

  /** Copies nothing: what a file holds has no size. Programs then read and write (as from tracefs). */
  COPY_FILE_RANGE: () => [WRITE_OUT.write({ size: 0 })],

  async FLUSH({ tree, files }, { body }) {
    await tree.request('flush', { handle: files.get(HANDLE_IN.read(body, 0).fh).handle });
    return NOTHING;
  },

  /** tracefs says EINVAL, so that an editor such as vim reports a failed save although it has saved. */
  FSYNC: () => NOTHING,

  async RELEASE({ tree, files }, { body }) {
    const { handle, waiting } = files.remove(HANDLE_IN.read(body, 0).fh);
    waiting?.abort();
    await tree.request('release', { handle });
    return NOTHING;
  },

  IOCTL({ files }, { body }) {
    const { fh, cmd } = IOCTL_IN.read(body, 0);
    if (cmd !== WAKE_READERS || !files.get(fh).isRaw) throw new FuseError(ENOTTY);
    return [IOCTL_OUT.write({ result: 0 })];
  },

  async POLL(mount, { body }) {
    const { fh, kh, flags } = POLL_IN.read(body, 0);
    const file = mount.files.get(fh);
    if (!POLLED.test(file.path)) return [POLL_OUT.write({ revents: READABLE | WRITABLE })];
    file.isPolled = true;
    const { readable } = await mount.tree.request('poll', { handle: file.handle });
    if (!readable && (flags & POLL_SCHEDULE_NOTIFY) !== 0) notifyWhenReadable(mount, fh, kh);
    return [POLL_OUT.write({ revents: readable ? READABLE : 0 })];
  },
} as const satisfies Partial<Record<Opcode, Operation>>;

/** Tells the kernel once that it should poll again. */
function notifyWhenReadable({ channel, tree, files }: Mount, fh: number, kh: number): void {
  const file = files.get(fh);
  if (file.waiting !== undefined) return;
  const waiting = new AbortController();
  file.waiting = waiting;
  const done = (): void => {
    file.waiting = undefined;
    if (!waiting.signal.aborted) channel.notifyPoll(kh);
  };
  tree.request('wait', { handle: file.handle }, { signal: waiting.signal }).then(done, done);
}
