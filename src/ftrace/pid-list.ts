import { TraceError } from '../base/errno.js';
import { kstrtoul } from '../base/kstrto.js';

/** The tasks of a pid file; undefined: the file names none, and has no effect. An empty list names only tasks that have ended. */
export type PidList = ReadonlySet<number> | undefined;

const NO_PIDS = 'no pid\n';
/** In the files of functions this pid reads as if there was none: its value marks an empty list (FTRACE_NO_PIDS). */
const UNSHOWN_PID = 2 ** 22;

/** The files of pids that every instance has: tasks whose functions or events are traced, or are not. */
export const PID_FILES = {
  set_ftrace_pid: { none: NO_PIDS },
  set_ftrace_notrace_pid: { none: NO_PIDS },
  set_event_pid: { none: '' },
  set_event_notrace_pid: { none: '' },
} as const;
/** The name of such a file. */
export type PidFileName = keyof typeof PID_FILES;

/** One more than the highest pid that a list can hold (kernel/trace/pid_list.h). */
export const PID_LIMIT = 2 ** 30;
/** Characters of the longest word (PID_BUF_SIZE). */
const MAX_WORD = 127;

function parsePid(word: string): number {
  if (word.length > MAX_WORD) throw new TraceError('EINVAL', 'word too long');
  let value: bigint;
  try {
    value = kstrtoul(word);
  } catch (error) {
    throw new TraceError('EINVAL', (error as Error).message);
  }
  const pid = Number(BigInt.asUintN(32, value));
  if (pid >= PID_LIMIT) throw new TraceError('EPERM', `no pid can be ${word}`);
  return pid;
}

/**
 * The list after `text` was written to its file in one write (trace_pid_write): its pids are added. When one is refused,
 * none is.
 * @throws TraceError EINVAL for what is no number, EPERM for one that is too large for a pid
 */
export function writePids(list: PidList, text: string): PidList {
  const words = text.split(/[\s\0]+/).filter((word) => word !== '');
  const pids = new Set([...(list ?? []), ...words.map(parsePid)]);
  return pids.size === 0 ? undefined : pids;
}

/** The text of the file: one pid on each line, the lowest first. */
export function pidText(list: PidList, name: PidFileName): string {
  const { none } = PID_FILES[name];
  if (list === undefined) return none;
  return [...list]
    .sort((a, b) => a - b)
    .map((pid) => (pid === UNSHOWN_PID && none === NO_PIDS ? none : `${pid}\n`))
    .join('');
}

/** Whether a task's functions must not be traced (trace_ignore_this_task): others are listed, or the notrace list has it. */
export const ignoresPid = (pids: PidList, notrace: PidList, pid: number): boolean =>
  (pids !== undefined && !pids.has(pid)) || notrace?.has(pid) === true;
