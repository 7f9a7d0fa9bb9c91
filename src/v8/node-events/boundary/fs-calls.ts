import { numberOf, ownValue, pathText, textLength } from './values.js';

/** The arguments of a function of the file binding. */
export type Args = readonly unknown[];

/** What a function of Node's file binding does. */
export interface FsCall {
  /** What the program asked for: the `op` of the events of `fs`. */
  readonly op: string;
  /** The system call that it becomes; one of Node's own names if it makes several (SYSCALLS). */
  readonly syscall: string | ((args: Args) => string);
  /** The arguments of that call, in the order of its event's fields. */
  readonly values: (args: Args) => readonly unknown[];
  /** Places of arguments. */
  readonly path?: number;
  readonly newPath?: number;
  readonly fd?: number;
  /** How many bytes are asked for, or given. */
  readonly bytes?: (args: Args) => number;
  /** The place in the file; -1 for where it stands. */
  readonly position?: (args: Args) => unknown;
  /** What the call returned, as the system would: not needed if it is a number. */
  readonly result?: (value: unknown, args: Args) => number;
}

/** -100 as the register holds it. */
const AT_FDCWD = 0xffffff9c;
const AT_EMPTY_PATH = 0x1000;
const AT_SYMLINK_NOFOLLOW = 0x100;
const O_CLOEXEC = 0o2000000;
const STATX_MASK = 0xfff;
const ENOENT = -2;

const path = pathText;

/** Whether it stands for a place in the file, and not for where the file stands. */
const isPlace = (position: unknown): boolean => typeof position === 'bigint' || (typeof position === 'number' && position >= 0);

const byPath = (op: string, more: readonly number[] = []): FsCall => ({
  op,
  syscall: op,
  values: (a) => [path(a[0]), ...more.map((place) => a[place])],
  path: 0,
});
const byFd = (op: string, more: readonly number[] = []): FsCall => ({
  op,
  syscall: op,
  values: (a) => [a[0], ...more.map((place) => a[place])],
  fd: 0,
});
const byTwo = (op: string, syscall = op): FsCall => ({
  op,
  syscall,
  values: (a) => [path(a[0]), path(a[1]), a[2]],
  path: 0,
  newPath: 1,
});
const open: FsCall = {
  op: 'open',
  syscall: 'openat',
  values: (a) => [AT_FDCWD, path(a[0]), numberOf(a[1]) | O_CLOEXEC, a[2]],
  path: 0,
  // A FileHandle's fd is a getter of its class in C++.
  result: (value) => (typeof value === 'number' ? value : numberOf((value as { readonly fd?: unknown } | undefined)?.fd)),
};
const statBy = (op: string, flags: number): FsCall => ({
  op,
  syscall: 'statx',
  values: (a) => [AT_FDCWD, path(a[0]), flags, STATX_MASK],
  path: 0,
  result: statResult,
});
/** Nothing comes back when the caller wants no error for a file that is not there. */
const statResult = (value: unknown): number => (value === undefined ? ENOENT : 0);

const some = (call: FsCall, placed: string, positionAt: number, rest: Partial<FsCall>): FsCall => {
  const { op, syscall } = call;
  return {
    ...call,
    syscall: (a) => (isPlace(a[positionAt]) ? placed : (syscall as string)),
    op,
    fd: 0,
    position: (a) => (isPlace(a[positionAt]) ? a[positionAt] : -1),
    ...rest,
  };
};
const vector = (op: string, name: string, placed: string): FsCall =>
  some({ op, syscall: name, values: (a) => [a[0], ownValue(a[1], 'length'), a[2]] }, placed, 2, {});
const buffer = (op: string, name: string, placed: string): FsCall =>
  some({ op, syscall: name, values: (a) => [a[0], a[3], a[4]] }, placed, 4, { bytes: (a) => numberOf(a[3]) });

const names: FsCall = {
  op: 'readdir',
  syscall: 'scandir',
  values: (a) => [path(a[0])],
  path: 0,
  // Names, or names and their types.
  result(value) {
    const first = ownValue(value, 0);
    return numberOf(ownValue(typeof first === 'object' ? first : value, 'length'));
  },
};
const utimes = (op: string, flags: number): FsCall => ({
  op,
  syscall: 'utimensat',
  values: (a) => [AT_FDCWD, path(a[0]), flags],
  path: 0,
});
/** A file that is named, or open. */
const fileOf = (a: Args): string => path(a[0]);

/** The functions of Node's file binding that make system calls. */
export const FS_CALLS: Readonly<Record<string, FsCall>> = {
  access: byPath('access', [1]),
  existsSync: {
    op: 'access',
    syscall: 'access',
    values: (a) => [path(a[0]), 0],
    path: 0,
    result: (value) => (value === true ? 0 : ENOENT),
  },
  open,
  openFileHandle: open,
  close: byFd('close'),
  read: buffer('read', 'read', 'pread64'),
  readBuffers: vector('read', 'readv', 'preadv'),
  writeBuffer: buffer('write', 'write', 'pwrite64'),
  writeString: some({ op: 'write', syscall: 'write', values: (a) => [a[0], textLength(a[1], a[3]), a[2]] }, 'pwrite64', 2, {
    bytes: (a) => textLength(a[1], a[3]),
  }),
  writeBuffers: vector('write', 'writev', 'pwritev'),
  readFileUtf8: {
    op: 'read_file',
    syscall: 'read_file',
    values: (a) => [fileOf(a), typeof a[0] === 'number' ? a[0] : -1, a[1]],
    path: 0,
    result: (value) => textLength(value, 'utf8'),
  },
  writeFileUtf8: {
    op: 'write_file',
    syscall: 'write_file',
    values: (a) => [fileOf(a), typeof a[0] === 'number' ? a[0] : -1, textLength(a[1], 'utf8'), a[2], a[3]],
    path: 0,
    bytes: (a) => textLength(a[1], 'utf8'),
    result: (_value, a) => textLength(a[1], 'utf8'),
  },
  stat: statBy('stat', 0),
  lstat: statBy('lstat', AT_SYMLINK_NOFOLLOW),
  fstat: { op: 'fstat', syscall: 'statx', values: (a) => [a[0], '', AT_EMPTY_PATH, STATX_MASK], fd: 0, result: statResult },
  internalModuleStat: {
    op: 'stat',
    syscall: 'statx',
    // Behind a receiver in some versions.
    values: (a) => [AT_FDCWD, path(typeof a[0] === 'string' ? a[0] : a[1]), 0, STATX_MASK],
    path: 0,
    result: (value) => Math.min(0, numberOf(value)),
  },
  statfs: byPath('statfs'),
  readdir: names,
  readdirRecursive: names,
  mkdir: byPath('mkdir', [1]),
  rmdir: byPath('rmdir'),
  unlink: byPath('unlink'),
  rename: byTwo('rename'),
  link: byTwo('link'),
  symlink: byTwo('symlink'),
  readlink: { ...byPath('readlink'), result: (value) => (typeof value === 'string' ? textLength(value, 'utf8') : 0) },
  realpath: { ...byPath('realpath'), result: () => 0 },
  mkdtemp: { ...byPath('mkdtemp'), result: () => 0 },
  copyFile: byTwo('copyfile'),
  cpSyncOverrideFile: byTwo('copyfile'),
  cpSyncCopyDir: byTwo('copy_dir'),
  rmSync: byPath('rm'),
  chmod: byPath('chmod', [1]),
  fchmod: byFd('fchmod', [1]),
  chown: byPath('chown', [1, 2]),
  lchown: byPath('lchown', [1, 2]),
  fchown: byFd('fchown', [1, 2]),
  ftruncate: byFd('ftruncate', [1]),
  fsync: byFd('fsync'),
  fdatasync: byFd('fdatasync'),
  utimes: utimes('utimes', 0),
  lutimes: utimes('lutimes', AT_SYMLINK_NOFOLLOW),
  futimes: { op: 'futimes', syscall: 'utimensat', values: (a) => [a[0], '', 0], fd: 0 },
};

/** FileHandle.prototype.close: the handle is the receiver. */
export const CLOSE_HANDLE: FsCall = { ...byFd('close'), result: () => 0 };

/** Classes whose run() reads or writes a whole file in the thread pool, on Node 26. */
export const FS_JOBS: Readonly<Record<string, FsCall>> = {
  ReadFileJob: {
    op: 'read_file',
    syscall: 'read_file',
    values: (a) => [path(a[0]), -1, 0],
    path: 0,
    result: (value) => numberOf((value as Uint8Array | undefined)?.byteLength),
  },
  WriteFileJob: { op: 'write_file', syscall: 'write_file', values: (a) => [path(a[0]), -1, 0, 0, 0], path: 0, result: () => 0 },
};
