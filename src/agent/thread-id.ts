import { isMainThread } from 'node:worker_threads';
import { existsSync, readlinkSync } from '../base/own-fs.js';

/** The calling thread's id at the operating system (gettid): the pid of its records. */
export function threadId(): number {
  if (isMainThread) return process.pid;
  return Number(readlinkSync('/proc/thread-self').split('/').pop());
}

/** Whether a task is a thread of this process. */
export const isThread = (tid: number): boolean => existsSync(`/proc/self/task/${tid}`);
