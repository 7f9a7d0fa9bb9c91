import { readFileSync } from '../../base/own-fs.js';

/** Bytes that V8 reserves for one more thread, rounded up: 545 MB on Node 20 and 22, up to 860 MB on Node 24 and 26. */
const THREAD_RESERVES = 2 ** 30;
const PAGE = 4096;

/**
 * What the limit of the process's address space (`ulimit -v`) leaves, in bytes, if that may be too little for a thread: V8 would
 * end the process, and no JavaScript could catch it. Undefined if it is enough.
 */
export function scarceAddressSpace(): number | undefined {
  try {
    const limit = /^Max address space +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    if (limit === undefined) return undefined;
    const left = Number(limit) - Number(readFileSync('/proc/self/statm', 'utf8').split(' ')[0]) * PAGE;
    return left < THREAD_RESERVES ? Math.max(0, left) : undefined;
  } catch {
    return undefined;
  }
}
