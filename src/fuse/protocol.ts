import { struct } from './struct.js';

/** The version of linux/fuse.h that is used here; an older kernel says its version, and gets what it supports. */
export const VERSION = { major: 7, minor: 36 } as const;

/** The operations of requests (enum fuse_opcode), by number: those that are not answered with ENOSYS. */
export const OPCODES = {
  1: 'LOOKUP',
  2: 'FORGET',
  3: 'GETATTR',
  4: 'SETATTR',
  6: 'SYMLINK',
  8: 'MKNOD',
  9: 'MKDIR',
  10: 'UNLINK',
  11: 'RMDIR',
  12: 'RENAME',
  13: 'LINK',
  14: 'OPEN',
  15: 'READ',
  16: 'WRITE',
  17: 'STATFS',
  18: 'RELEASE',
  20: 'FSYNC',
  21: 'SETXATTR',
  22: 'GETXATTR',
  23: 'LISTXATTR',
  24: 'REMOVEXATTR',
  25: 'FLUSH',
  26: 'INIT',
  27: 'OPENDIR',
  28: 'READDIR',
  29: 'RELEASEDIR',
  30: 'FSYNCDIR',
  34: 'ACCESS',
  35: 'CREATE',
  36: 'INTERRUPT',
  38: 'DESTROY',
  39: 'IOCTL',
  40: 'POLL',
  42: 'BATCH_FORGET',
  45: 'RENAME2',
  47: 'COPY_FILE_RANGE',
} as const;
export type Opcode = (typeof OPCODES)[keyof typeof OPCODES];

/** What the two sides can do (fuse_init_in.flags). */
export const INIT_FLAGS = {
  ASYNC_READ: 1 << 0,
  /** O_TRUNC comes with the open, which may refuse it. */
  ATOMIC_O_TRUNC: 1 << 3,
  BIG_WRITES: 1 << 5,
  PARALLEL_DIROPS: 1 << 18,
  MAX_PAGES: 1 << 22,
} as const;

/** How an open file behaves (fuse_open_out.open_flags). */
export const FOPEN = {
  /** Reads and writes come as they are made, whatever the size that stat shows. */
  DIRECT_IO: 1 << 0,
  NONSEEKABLE: 1 << 2,
  STREAM: 1 << 4,
  /** Closing a descriptor is not told. */
  NOFLUSH: 1 << 5,
} as const;

/** What SETATTR is to change (fuse_setattr_in.valid). */
export const FATTR = { MODE: 1 << 0, UID: 1 << 1, GID: 1 << 2, ATIME: 1 << 4, MTIME: 1 << 5 } as const;

/** The kernel wants to be told when a poll's answer changes. */
export const POLL_SCHEDULE_NOTIFY = 1 << 0;
/** Codes of messages that answer no request. */
export const NOTIFY_POLL = 1;
export const NOTIFY_STORE = 4;

export const IN_HEADER = struct({
  len: 'u32',
  opcode: 'u32',
  unique: 'u64',
  nodeid: 'u64',
  uid: 'u32',
  gid: 'u32',
  pid: 'u32',
  totalExtlen: 'u16',
  padding: 'u16',
});

export const OUT_HEADER = struct({ len: 'u32', error: 'i32', unique: 'u64' });

const ATTR = {
  ino: 'u64',
  size: 'u64',
  blocks: 'u64',
  atime: 'u64',
  mtime: 'u64',
  ctime: 'u64',
  atimensec: 'u32',
  mtimensec: 'u32',
  ctimensec: 'u32',
  mode: 'u32',
  nlink: 'u32',
  uid: 'u32',
  gid: 'u32',
  rdev: 'u32',
  blksize: 'u32',
  flags: 'u32',
} as const;

export const ENTRY_OUT = struct({
  nodeid: 'u64',
  generation: 'u64',
  entryValid: 'u64',
  attrValid: 'u64',
  entryValidNsec: 'u32',
  attrValidNsec: 'u32',
  ...ATTR,
});
export const ATTR_OUT = struct({ attrValid: 'u64', attrValidNsec: 'u32', dummy: 'u32', ...ATTR });
export const SETATTR_IN = struct({
  valid: 'u32',
  padding: 'u32',
  fh: 'u64',
  size: 'u64',
  lockOwner: 'u64',
  atime: 'u64',
  mtime: 'u64',
  ctime: 'u64',
  atimensec: 'u32',
  mtimensec: 'u32',
  ctimensec: 'u32',
  mode: 'u32',
  unused4: 'u32',
  uid: 'u32',
  gid: 'u32',
  unused5: 'u32',
});
/** fuse_mknod_in, before the name. */
export const MKNOD_IN = struct({ mode: 'u32', rdev: 'u32', umask: 'u32', padding: 'u32' });
export const MKDIR_IN = struct({ mode: 'u32', umask: 'u32' });
export const OPEN_IN = struct({ flags: 'u32', openFlags: 'u32' });
export const OPEN_OUT = struct({ fh: 'u64', openFlags: 'u32', padding: 'u32' });
/** Begins fuse_release_in, fuse_flush_in. */
export const HANDLE_IN = struct({ fh: 'u64' });
/** fuse_read_in, and fuse_write_in before its bytes. */
export const READ_IN = struct({
  fh: 'u64',
  offset: 'u64',
  size: 'u32',
  readFlags: 'u32',
  lockOwner: 'u64',
  flags: 'u32',
  padding: 'u32',
});
export const WRITE_OUT = struct({ size: 'u32', padding: 'u32' });
export const INIT_IN = struct({ major: 'u32', minor: 'u32', maxReadahead: 'u32', flags: 'u32' });
export const INIT_OUT = struct({
  major: 'u32',
  minor: 'u32',
  maxReadahead: 'u32',
  flags: 'u32',
  maxBackground: 'u16',
  congestionThreshold: 'u16',
  maxWrite: 'u32',
  timeGran: 'u32',
  maxPages: 'u16',
  mapAlignment: 'u16',
  flags2: 'u32',
  unused0: 'u32',
  unused1: 'u64',
  unused2: 'u64',
  unused3: 'u64',
});
export const INTERRUPT_IN = struct({ unique: 'u64' });
export const IOCTL_IN = struct({ fh: 'u64', flags: 'u32', cmd: 'u32', arg: 'u64', inSize: 'u32', outSize: 'u32' });
export const IOCTL_OUT = struct({ result: 'i32', flags: 'u32', inIovs: 'u32', outIovs: 'u32' });
export const POLL_IN = struct({ fh: 'u64', kh: 'u64', flags: 'u32', events: 'u32' });
export const POLL_OUT = struct({ revents: 'u32', padding: 'u32' });
export const NOTIFY_POLL_OUT = struct({ kh: 'u64' });
/** Before the bytes that are stored. */
export const NOTIFY_STORE_OUT = struct({ nodeid: 'u64', offset: 'u64', size: 'u32', padding: 'u32' });
/** Answers LISTXATTR where the caller asks for the size. */
export const GETXATTR_OUT = struct({ size: 'u32', padding: 'u32' });
export const GETXATTR_IN = struct({ size: 'u32', padding: 'u32' });
export const STATFS_OUT = struct({
  blocks: 'u64',
  bfree: 'u64',
  bavail: 'u64',
  files: 'u64',
  ffree: 'u64',
  bsize: 'u32',
  namelen: 'u32',
  frsize: 'u32',
  padding: 'u32',
  spare0: 'u64',
  spare1: 'u64',
  spare2: 'u64',
});
/** Before each name of a directory's listing. */
export const DIRENT = struct({ ino: 'u64', off: 'u64', namelen: 'u32', type: 'u32' });

/** File types, as the upper bits of a mode. */
export const S_IFMT = 0o170000;
export const S_IFDIR = 0o040000;
export const S_IFREG = 0o100000;
