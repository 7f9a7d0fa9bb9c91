import { isMainThread, parentPort } from 'node:worker_threads';
import { existsSync, readlinkSync } from './untraced-fs.js';

const readId = (): number => Number(readlinkSync('/proc/thread-self').split('/').pop());

let isKnownMain: boolean | undefined;

/**
 * Whether Node's main thread calls. Asks Node only where the system does not know: loading `worker_threads` takes milliseconds.
 */
export function isMain(): boolean {
  try {
    isKnownMain ??= readId() === process.pid || isMainThread;
  } catch {
    isKnownMain = isMainThread;
  }
  return isKnownMain;
}

/**
 * Whether this is the thread in which Node runs the hooks of `module.register()` and `--loader`. It runs `--require` as workers
 * do, and ends the program, or waits for ever, if that registers hooks of its own. Only this thread of Node's has no port to the
 * one that started it.
 */
export const isHooksThread = (): boolean => !isMain() && parentPort === null;

/** The calling thread's id at the operating system (gettid): the pid of its records. */
export const threadId = (): number => (isMain() ? process.pid : readId());

/** Whether a task is a thread of this process. */
export const isThread = (tid: number): boolean => existsSync(`/proc/self/task/${tid}`);
