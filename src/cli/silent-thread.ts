import { setTimeout as sleep } from 'node:timers/promises';
import { runningThreads } from '../base/thread-state.js';
import type { TraceClient } from '../client/trace-client.js';

/** How long a process is watched, in milliseconds, and at which interval. A thread that rests in between is not stuck. */
const WATCHED = 200;
const LOOK = 20;

/** What is said where a process is busy and what runs calls nothing that is traced. */
export const busyHint = (pid: number): string => `it is busy, and calls no traced function; what it does: fentry bt ${pid}`;

/**
 * Whether a thread of the process runs all the time, and nothing comes into the trace: it is in a loop, or in a regular
 * expression. Takes time only if one runs now.
 */
export async function isBusyInSilence(client: TraceClient): Promise<boolean> {
  let busy = runningThreads(client.pid);
  for (const end = performance.now() + WATCHED; busy.length > 0 && performance.now() < end; ) {
    await sleep(LOOK);
    const now = runningThreads(client.pid);
    busy = busy.filter((tid) => now.includes(tid));
  }
  return busy.length > 0 && (await isEmpty(client));
}

/** Whether no buffer has, or has lost, a record. */
async function isEmpty(client: TraceClient): Promise<boolean> {
  for (const { name } of await client.list('per_cpu')) {
    const stats = await client.read(`per_cpu/${name}/stats`);
    if (/^(entries|overrun|dropped events): [1-9]/m.test(stats)) return false;
  }
  return true;
}
