import { statSync } from '../../base/untraced-fs.js';

/** Links of a folder beside those of the folders in it. */
const OWN_LINKS = 2;

/** How many threads this process has; 0 if unknown. It needs no file descriptor, because there may be none left. */
export function threadCount(): number {
  try {
    return Math.max(0, statSync('/proc/self/task').nlink - OWN_LINKS);
  } catch {
    return 0;
  }
}
