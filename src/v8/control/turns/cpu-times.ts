import { readFileSync } from 'node:fs';
import { attempt } from '../../../base/attempt.js';

const NS_PER_MS = 1e6;

/** How long a thread has run, and has waited for a core. */
export interface CpuTimes {
  /** Milliseconds since its start. */
  readonly cpuMs: number;
  readonly queuedMs: number;
}

/** The times of a thread of this process (/proc/self/task/TID/schedstat); undefined where the system does not count them. */
export function cpuTimes(tid: number): CpuTimes | undefined {
  const text = attempt(() => readFileSync(`/proc/self/task/${tid}/schedstat`, 'utf8'));
  const [ran, queued] = (text ?? '').split(' ').map(Number);
  if (ran === undefined || queued === undefined || Number.isNaN(ran + queued)) return undefined;
  return { cpuMs: ran / NS_PER_MS, queuedMs: queued / NS_PER_MS };
}
