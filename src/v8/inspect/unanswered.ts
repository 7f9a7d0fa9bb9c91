import { readdirSync } from 'node:fs';
import { attempt } from '../../base/attempt.js';
import { blockedMain } from '../../base/blocked-thread.js';
import { procStat, STAT } from '../../base/proc-stat.js';

/** Milliseconds between looks at threads, and how many looks in a row must find them asleep. */
const LOOK = 20;
const LOOKS = 20;
/** A look that comes so many milliseconds late says that the machine is busy: what should have answered may not have run. */
const LATE = 3 * LOOK;

/**
 * Resolves when threads that were asked will not answer: one is blocked for certain, or all have slept for 400 ms.
 * @param tids the threads; those of the whole process where they are not known
 * @param signal ends it
 */
export async function untilAsleep(pid: number, tids: () => readonly number[], signal: AbortSignal): Promise<void> {
  let last = performance.now();
  for (let looks = 0, blocked = 0; looks < LOOKS && blocked < 3 && !signal.aborted; ) {
    await new Promise((resolve) => setTimeout(resolve, LOOK));
    const now = performance.now();
    const isCalm = now - last < LATE;
    last = now;
    const all = tids();
    looks = isCalm && all.every((tid) => isAsleep(pid, tid)) ? looks + 1 : 0;
    blocked = all.length === 1 && all[0] === pid && blockedMain(pid) !== undefined ? blocked + 1 : 0;
  }
}

/** A thread that has ended counts as asleep. */
function isAsleep(pid: number, tid: number): boolean {
  const state = procStat(`/proc/${pid}/task/${tid}`)?.[STAT.STATE];
  return state !== 'R';
}

/** The threads of a process. */
export const tidsOf = (pid: number): readonly number[] => (attempt(() => readdirSync(`/proc/${pid}/task`)) ?? []).map(Number);
