import { readFileSync } from 'node:fs';
import { attempt } from './attempt.js';

/**
 * How long a thread of this process has waited for a processor while it was ready to run, in nanoseconds
 * (Documentation/scheduler/sched-stats.rst). 0 where the system does not say.
 */
export function runDelay(tid: number): number {
  const stat = attempt(() => readFileSync(`/proc/self/task/${tid}/schedstat`, 'utf8'));
  return Number(stat?.split(' ')[1] ?? 0) || 0;
}
