import { readFileSync } from 'node:fs';
import type { ProcessLoad } from '../../answers/live/live-answer.js';
import { attempt } from '../../base/attempt.js';
import { TraceError } from '../../base/errno.js';
import { procStat, STAT, TICKS_PER_SECOND } from '../../base/proc-stat.js';

/** TraceError ENODEV if there is no such process, or only its remains. */
export function processLoad(pid: number): ProcessLoad {
  const fields = procStat(`/proc/${pid}`);
  const status = attempt(() => readFileSync(`/proc/${pid}/status`, 'utf8'));
  if (fields === undefined || status === undefined || fields[STAT.STATE] === 'Z')
    throw new TraceError('ENODEV', `process ${pid} has ended`);
  const numberOf = (name: string): number => Number(new RegExp(`^${name}:\\s*(\\d+)`, 'm').exec(status)?.[1] ?? 0);
  return {
    at: performance.now() / 1000,
    cpu: (Number(fields[STAT.USER]) + Number(fields[STAT.SYSTEM])) / TICKS_PER_SECOND,
    threads: numberOf('Threads'),
    bytes: numberOf('VmRSS') * 1024,
  };
}
