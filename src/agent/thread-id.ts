import { readlinkSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

/** The calling thread's id at the operating system (gettid): the pid of its records. */
export function threadId(): number {
  if (isMainThread) return process.pid;
  return Number(readlinkSync('/proc/thread-self').split('/').pop());
}
