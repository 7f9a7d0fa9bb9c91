import { readdirSync, readFileSync } from 'node:fs';
import { attempt } from './attempt.js';
import { procStat, STAT } from './proc-stat.js';

/** The state of one thread in the system. */
export interface ThreadState {
  /** The letter of /proc/PID/stat: R runs, S sleeps, D sleeps and cannot be woken, T is stopped, t is traced, Z has ended. */
  readonly state: string;
  /** Number of the system call that it is in; undefined while it runs, or where the system does not say. */
  readonly syscall: number | undefined;
  /** The kernel's function that it waits in; '' if unknown. */
  readonly wchan: string;
  /** Processes that this thread started and that still run. */
  readonly children: readonly number[];
  /** How often it was given a processor; absent where the system does not count that. */
  readonly turns?: number | undefined;
}

const read = (path: string): string => attempt(() => readFileSync(path, 'utf8')) ?? '';

/** State of a thread; undefined if there is none with that id. */
export function threadState(pid: number | 'self', tid: number): ThreadState | undefined {
  const folder = `/proc/${pid}/task/${tid}`;
  const state = procStat(folder)?.[STAT.STATE];
  if (state === undefined) return undefined;
  const syscall = /^\d+/.exec(read(`${folder}/syscall`))?.[0];
  const wchan = read(`${folder}/wchan`).trim();
  const turns = read(`${folder}/schedstat`).split(' ')[2];
  return {
    state,
    syscall: syscall === undefined ? undefined : Number(syscall),
    wchan: wchan === '0' ? '' : wchan,
    children: read(`${folder}/children`).split(' ').filter(Boolean).map(Number),
    turns: turns === undefined ? undefined : Number(turns),
  };
}

/** The threads of a process that run now, or wait for a processor; none if there is no such process. */
export const runningThreads = (pid: number | 'self'): readonly number[] =>
  (attempt(() => readdirSync(`/proc/${pid}/task`)) ?? [])
    .map(Number)
    .filter((tid) => procStat(`/proc/${pid}/task/${tid}`)?.[STAT.STATE] === 'R');

/** The command line of a process, with blanks between the arguments; '' if it cannot be read. */
const commandLine = (pid: number): string => read(`/proc/${pid}/cmdline`).replace(/\0+$/, '').replaceAll('\0', ' ');

/** Waits that JavaScript can cause in a thread, by the number of the system call. */
const SYSCALLS: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  x64: { 0: 'read', 1: 'write', 7: 'poll', 35: 'sleep', 61: 'wait4', 202: 'futex', 230: 'sleep', 232: 'epoll', 281: 'epoll' },
  arm64: { 22: 'epoll', 63: 'read', 64: 'write', 73: 'poll', 98: 'futex', 101: 'sleep', 115: 'sleep', 260: 'wait4' },
};
const WCHANS: readonly (readonly [RegExp, string])[] = [
  [/futex/, 'futex'],
  [/ep_poll|epoll/, 'epoll'],
  [/nanosleep/, 'sleep'],
  [/do_wait/, 'wait4'],
  [/pipe_read|tty_read|n_tty/, 'read'],
  [/pipe_w/, 'write'],
  [/poll/, 'poll'],
];

const WORDS: Readonly<Record<string, string>> = {
  read: 'a synchronous read',
  write: 'the reader of a synchronous write',
  poll: 'a synchronous wait for a descriptor (poll)',
  sleep: 'a sleep in native code',
  wait4: 'a child process',
  futex: 'Atomics.wait, or a lock in native code (futex)',
  epoll: 'an event loop inside a synchronous call (epoll_wait)',
};

/** What a thread that runs no JavaScript waits for, where it is another thing than for one that does. */
const NATIVE_WORDS: Readonly<Record<string, string>> = {
  futex: 'a lock (futex)',
  epoll: 'events (epoll_wait)',
  sleep: 'a sleep to end',
};

/** What a thread that runs no JavaScript does, in words that follow "it". */
export function describeNativeWait(thread: ThreadState | undefined): string {
  if (thread?.state === 'R') return 'runs';
  const wait = thread?.state === 'S' && thread.children.length === 0 ? waitOf(thread) : undefined;
  const words = wait === undefined ? undefined : NATIVE_WORDS[wait];
  return words === undefined ? describeWait(thread) : `waits for ${words}`;
}

/** What a thread waits in: a word of SYSCALLS; undefined if it is none of them. */
export const waitOf = ({ syscall, wchan }: ThreadState, arch: string = process.arch): string | undefined =>
  (syscall === undefined ? undefined : SYSCALLS[arch]?.[syscall]) ?? WCHANS.find(([pattern]) => pattern.test(wchan))?.[1];

/**
 * What a thread that does not answer is doing, in words that follow "it": `waits for ...`, `is stopped ...`.
 * @param nameOf the command line of a child
 */
export function describeWait(thread: ThreadState | undefined, nameOf = commandLine, arch: string = process.arch): string {
  if (thread === undefined || thread.state === 'Z' || thread.state === 'X') return 'has ended';
  const { state, children, wchan } = thread;
  if (state === 'T') return 'is stopped (SIGSTOP); kill -CONT resumes it';
  if (state === 't') return 'is held by a debugger (ptrace)';
  if (state === 'R') return 'runs native code that does not return to JavaScript';
  const where = wchan === '' ? '' : ` (${wchan})`;
  if (state === 'D') return `is in the kernel and cannot be interrupted${where}`;
  const wait = waitOf(thread, arch);
  const child = children.at(-1);
  if (child !== undefined && (wait === 'epoll' || wait === 'wait4' || wait === 'poll')) {
    return `waits for its child process ${child} (${nameOf(child) || 'no command line'})`;
  }
  return wait === undefined ? `sleeps in native code${where}` : `waits for ${WORDS[wait]}`;
}
