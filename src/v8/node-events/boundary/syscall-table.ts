/** What a field of a system call's event holds. */
export type ArgumentKind = 'int' | 'fd' | 'text' | 'size' | 'long';

/** A system call as its event has it. */
export interface Syscall {
  /** The call's number on x86-64; beyond 1000 for what Node does by several calls and shows as one. */
  readonly nr: number;
  /** The call's arguments, named as the kernel names them. Those that are addresses of buffers are not among them. */
  readonly args: Readonly<Record<string, ArgumentKind>>;
}

const call = (nr: number, args: Syscall['args']): Syscall => ({ nr, args });

const io = (nr: number): Syscall => call(nr, { fd: 'fd', count: 'size' });
const placed = (nr: number): Syscall => call(nr, { fd: 'fd', count: 'size', pos: 'long' });
const vector = (nr: number): Syscall => call(nr, { fd: 'fd', vlen: 'long' });
const placedVector = (nr: number): Syscall => call(nr, { fd: 'fd', vlen: 'long', pos_l: 'long' });
const twoNames = (nr: number): Syscall => call(nr, { oldname: 'text', newname: 'text' });
const owner = (nr: number): Syscall => call(nr, { filename: 'text', user: 'int', group: 'int' });

/** The system calls that Node's library asks for, by the kernel's names (include/linux/syscalls.h), and Node's own. */
export const SYSCALLS = {
  read: io(0),
  write: io(1),
  close: call(3, { fd: 'fd' }),
  pread64: placed(17),
  pwrite64: placed(18),
  readv: vector(19),
  writev: vector(20),
  access: call(21, { filename: 'text', mode: 'int' }),
  connect: call(42, { fd: 'fd', uservaddr: 'text' }),
  shutdown: call(48, { fd: 'fd', how: 'int' }),
  bind: call(49, { fd: 'fd', umyaddr: 'text' }),
  listen: call(50, { fd: 'fd', backlog: 'int' }),
  execve: call(59, { filename: 'text', argv: 'text' }),
  kill: call(62, { pid: 'int', sig: 'int' }),
  fsync: call(74, { fd: 'fd' }),
  fdatasync: call(75, { fd: 'fd' }),
  ftruncate: call(77, { fd: 'fd', length: 'long' }),
  chdir: call(80, { filename: 'text' }),
  rename: twoNames(82),
  mkdir: call(83, { pathname: 'text', mode: 'int' }),
  rmdir: call(84, { pathname: 'text' }),
  link: twoNames(86),
  unlink: call(87, { pathname: 'text' }),
  symlink: twoNames(88),
  readlink: call(89, { path: 'text' }),
  chmod: call(90, { filename: 'text', mode: 'int' }),
  fchmod: call(91, { fd: 'fd', mode: 'int' }),
  chown: owner(92),
  fchown: call(93, { fd: 'fd', user: 'int', group: 'int' }),
  lchown: owner(94),
  umask: call(95, { mask: 'int' }),
  getrusage: call(98, { who: 'int' }),
  getuid: call(102, {}),
  getgid: call(104, {}),
  setuid: call(105, { uid: 'int' }),
  setgid: call(106, { gid: 'int' }),
  geteuid: call(107, {}),
  getegid: call(108, {}),
  setgroups: call(116, { gidsetsize: 'int' }),
  setresuid: call(117, { ruid: 'int', euid: 'int', suid: 'int' }),
  setresgid: call(119, { rgid: 'int', egid: 'int', sgid: 'int' }),
  statfs: call(137, { pathname: 'text' }),
  getpriority: call(140, { which: 'int', who: 'int' }),
  setpriority: call(141, { which: 'int', who: 'int', niceval: 'int' }),
  openat: call(257, { dfd: 'int', filename: 'text', flags: 'int', mode: 'int' }),
  utimensat: call(280, { dfd: 'int', filename: 'text', flags: 'int' }),
  accept4: call(288, { fd: 'fd', upeer_sockaddr: 'text' }),
  preadv: placedVector(295),
  pwritev: placedVector(296),
  statx: call(332, { dfd: 'int', filename: 'text', flags: 'int', mask: 'int' }),
  read_file: call(1001, { filename: 'text', fd: 'int', flags: 'int' }),
  write_file: call(1002, { filename: 'text', fd: 'int', count: 'size', flags: 'int', mode: 'int' }),
  scandir: call(1003, { filename: 'text' }),
  realpath: call(1004, { path: 'text' }),
  mkdtemp: call(1005, { template: 'text' }),
  copyfile: call(1006, { oldname: 'text', newname: 'text', flags: 'int' }),
  copy_dir: twoNames(1007),
  rm: call(1008, { pathname: 'text' }),
} as const satisfies Readonly<Record<string, Syscall>>;

export type SyscallName = keyof typeof SYSCALLS;

/** The kernel's name of a system call by its number: `sys_openat`. Undefined for a number that is none. */
export function syscallName(nr: bigint): string | undefined {
  const [name] = Object.entries(SYSCALLS).find(([, call]) => BigInt(call.nr) === nr) ?? [];
  return name && `sys_${name}`;
}
