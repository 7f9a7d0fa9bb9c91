import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { attempt } from './attempt.js';
import { procStat, STAT } from './proc-stat.js';
import { type ThreadState, threadState, waitOf } from './thread-state.js';

/**
 * Bytes of the stack that Node's main thread uses while it waits in its own event loop: 16.3 KiB on x86-64 in Node 20 to 26. In
 * an event loop inside of a synchronous call it uses 19.7 KiB or more.
 */
const LOOP_STACK = 18_432;
/** Event loops that Node makes and never waits in: libuv's default one, in Node 20 to 26. */
const UNUSED = 1;
/** Waits that the event loop never does itself. */
const SYNCHRONOUS: ReadonlySet<string> = new Set(['read', 'write', 'poll', 'sleep', 'wait4']);

/**
 * What keeps the main thread of a process outside of JavaScript, where an inspector cannot interrupt it; undefined if nothing
 * does for certain: it runs, waits in its event loop or in Atomics.wait, or the system does not say.
 */
export function blockedMain(pid: number): ThreadState | undefined {
  const state = threadState(pid, pid);
  if (state === undefined || state.state !== 'S') return undefined;
  const wait = waitOf(state);
  if (wait !== undefined && SYNCHRONOUS.has(wait)) return state;
  return wait === 'epoll' && state.children.length > 0 && isInnerLoop(pid) ? state : undefined;
}

/** Whether the main thread waits in another event loop than its own: it is deep in its stack, and its own loop is left alone. */
function isInnerLoop(pid: number): boolean {
  const call = systemCall(`/proc/${pid}/task/${pid}`);
  const start = Number(procStat(`/proc/${pid}`)?.[STAT.START_STACK] ?? 0);
  if (call === undefined || start === 0 || start - call.stack <= LOOP_STACK) return false;
  const waited = names(`/proc/${pid}/task`).map((tid) => systemCall(`/proc/${pid}/task/${tid}`)?.first);
  return eventLoops(pid).filter((fd) => !waited.includes(fd)).length > UNUSED;
}

/** The first argument of the system call that a thread is in, and its stack pointer. */
function systemCall(folder: string): { readonly first: number; readonly stack: number } | undefined {
  const words = (attempt(() => readFileSync(`${folder}/syscall`, 'utf8')) ?? '').trim().split(' ');
  return words.length < 8 ? undefined : { first: Number(words[1]), stack: Number(words[7]) };
}

/** The descriptors of event loops. */
const eventLoops = (pid: number): readonly number[] =>
  names(`/proc/${pid}/fd`)
    .filter((fd) => attempt(() => readlinkSync(`/proc/${pid}/fd/${fd}`)) === 'anon_inode:[eventpoll]')
    .map(Number);

const names = (folder: string): readonly string[] => attempt(() => readdirSync(folder)) ?? [];
