import { readdirSync, readFileSync } from 'node:fs';
import { parseAddress } from '../../base/address.js';
import { attempt } from '../../base/attempt.js';

/** Where a thread that does not run stands, as /proc/PID/task/TID/syscall says. */
export interface ThreadPosition {
  readonly pc: number;
  readonly sp: number;
  /** The system call that it is in; undefined: it runs its own code. */
  readonly call: SystemCallState | undefined;
}

/** A system call that a thread is in. */
export interface SystemCallState {
  readonly nr: number;
  readonly args: readonly number[];
}

const hex = (word: string): number => parseAddress(word.slice(2));

/** The position that a line of such a file states; undefined while the thread runs. */
export function parsePosition(text: string): ThreadPosition | undefined {
  const words = text.trim().split(' ');
  if (words.length < 3) return undefined;
  const [sp, pc] = words.slice(-2).map(hex) as [number, number];
  const nr = Number(words[0]);
  return { pc, sp, call: nr < 0 ? undefined : { nr, args: words.slice(1, -2).map(hex) } };
}

/** A thread's position; undefined while it runs, and when it has ended. */
export const threadPosition = (pid: number, tid: number): ThreadPosition | undefined =>
  attempt(() => parsePosition(readFileSync(`/proc/${pid}/task/${tid}/syscall`, 'latin1')));

/** The ids of a process's threads, the oldest first; none when it has ended. */
export const threadIds = (pid: number): readonly number[] => attempt(() => readdirSync(`/proc/${pid}/task`).map(Number)) ?? [];

/** The name of a thread. */
export const threadName = (pid: number, tid: number): string =>
  attempt(() => readFileSync(`/proc/${pid}/task/${tid}/comm`, 'utf8').trimEnd()) ?? '';

/** The letter of a thread's state in /proc/PID/task/TID/stat; undefined when it has ended. */
export function threadState(pid: number, tid: number): string | undefined {
  const stat = attempt(() => readFileSync(`/proc/${pid}/task/${tid}/stat`, 'latin1'));
  return stat?.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3);
}

/** The id that a process knows itself by: in a container another one than outside. */
export function idInside(pid: number): number {
  const status = attempt(() => readFileSync(`/proc/${pid}/status`, 'latin1')) ?? '';
  const ids = /^NSpid:(.*)$/m.exec(status)?.[1]?.trim().split(/\s+/);
  return Number(ids?.at(-1) ?? pid);
}
