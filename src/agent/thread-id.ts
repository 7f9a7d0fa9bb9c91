import { isMainThread } from 'node:worker_threads';
import { existsSync, readlinkSync } from '../base/own-fs.js';

const readId = (): number => Number(readlinkSync('/proc/thread-self').split('/').pop());

let isKnownMain: boolean | undefined;

/** Whether Node's main thread calls. Asks Node only where the system does not know: loading `worker_threads` takes milliseconds. */
export function isMain(): boolean {
  try {
    isKnownMain ??= readId() === process.pid || isMainThread;
  } catch {
    isKnownMain = isMainThread;
  }
  return isKnownMain;
}

/** The calling thread's id at the operating system (gettid): the pid of its records. */
export const threadId = (): number => (isMain() ? process.pid : readId());

/** Whether a task is a thread of this process. */
export const isThread = (tid: number): boolean => existsSync(`/proc/self/task/${tid}`);
