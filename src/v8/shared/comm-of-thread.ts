import { readFileSync } from 'node:fs';
import { SafeSet } from '../../base/safe-map.js';

/** Names that Node gives its threads in some versions; an unnamed thread is `node` in all of them. */
const UNNAMED = new SafeSet(['MainThread', 'node-MainThread', 'WorkerThread', 'node-Worker', 'node-WorkerThre']);

/** The name of a thread of this process. */
export function commOfThread(tid: number): string {
  try {
    const comm = readFileSync(`/proc/self/task/${tid}/comm`, 'utf8').trimEnd();
    return UNNAMED.has(comm) ? 'node' : comm;
  } catch {
    return 'node';
  }
}
