import { readFileSync } from '../../base/untraced-fs.js';
import { commOfThread } from '../shared/comm-of-thread.js';

/** The name that the operating system has for a process: what the kernel prints as comm. Empty if there is no such process. */
export function commOf(pid: number): string {
  if (pid === process.pid) return commOfThread(pid);
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trimEnd();
  } catch {
    return '';
  }
}
