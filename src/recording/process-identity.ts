import { existsSync, readlinkSync } from 'node:fs';
import { attempt } from '../base/attempt.js';
import { procStat, STAT } from '../base/proc-stat.js';

/** Identifies a process even if another one gets its id later: `PID,START,NAMESPACE`. */
export interface ProcessIdentity {
  readonly pid: number;
  /** When it was started, in clock ticks. */
  readonly start: string;
  /** The pid namespace that its id is of. */
  readonly namespace: string;
}

const statOf = (pid: number): readonly string[] | undefined => procStat(`/proc/${pid}`);

const ownNamespace = (): string => /\d+/.exec(attempt(() => readlinkSync('/proc/self/ns/pid')) ?? '')?.[0] ?? '';

/** The identity of this process. */
export const ownIdentity = (): string => `${process.pid},${statOf(process.pid)?.[STAT.START] ?? ''},${ownNamespace()}`;

/** Reads an identity; undefined if the text is not one. */
export function parseIdentity(text: string): ProcessIdentity | undefined {
  const [, pid, start = '', namespace = ''] = /^([1-9]\d*),(\d*),(\d*)$/.exec(text.trim()) ?? [];
  return pid === undefined ? undefined : { pid: Number(pid), start, namespace };
}

/**
 * Whether that process has ended: one that is being killed has when its memory is gone, some time before its files are closed and
 * its parent can hear of it. One of another pid namespace cannot be seen, and counts as running.
 */
export function hasEnded({ pid, start, namespace }: ProcessIdentity): boolean {
  if (namespace !== ownNamespace()) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
  // If /proc hides the processes of other users, the process may still exist.
  const stat = statOf(pid);
  return stat !== undefined && (stat[STAT.START] !== start || stat[STAT.MEMORY] === '0' || /[ZX]/.test(stat[STAT.STATE] ?? ''));
}

/** Whether a process runs, is not stopped, and so may answer. One that is not to be seen may. */
export function canAnswer(pid: number): boolean {
  const state = statOf(pid)?.[STAT.STATE];
  return state === undefined ? existsSync(`/proc/${pid}`) : !/[ZXTt]/.test(state);
}
