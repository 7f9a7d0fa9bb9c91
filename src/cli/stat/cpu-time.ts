import { procStat, STAT } from '../../base/proc-stat.js';

/** Linux's USER_HZ: what /proc counts CPU time in. */
const TICKS_PER_SECOND = 100;

/** CPU time in seconds. */
export interface CpuTime {
  readonly user: number;
  readonly system: number;
}

/** The CPU time of the processes that this one has started, and that have ended: with all that they started and waited for. */
export function childrensCpuTime(): CpuTime {
  const fields = procStat('/proc/self') ?? [];
  const ticks = (at: number): number => Number(fields[at] ?? 0) / TICKS_PER_SECOND;
  return { user: ticks(STAT.CHILDREN_USER), system: ticks(STAT.CHILDREN_SYSTEM) };
}
