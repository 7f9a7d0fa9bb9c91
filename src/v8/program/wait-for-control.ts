import { AtomicsLoad } from '../../base/primordials.js';
import { isThread } from '../../base/thread-id.js';
import { type ControlBlock, needControl, WORD, waitForWord } from '../shared/control-block.js';
import { threadCount } from './thread-count.js';

/** The interval in which a waiting thread checks that the control thread still exists: at first, and at most, in milliseconds. */
const LOOK_AFTER = { first: 20, most: 500 } as const;
/**
 * Milliseconds after which it stops waiting anyway. If a hundred workers start at once on two busy cores, each waits for many
 * seconds.
 */
const LONGEST = 60_000;
/** Longest wait while the control thread has given no sign of life. */
const LONGEST_UNSEEN = 10_000;

/** Whether the control thread has ended, or could not begin; a /proc that does not show the main thread either says nothing. */
function isGone(block: ControlBlock, waited: number): boolean {
  const tid = AtomicsLoad(block, WORD.CONTROL_TID);
  if (tid !== 0) return !isThread(tid) && isThread(process.pid);
  const threads = threadCount();
  // The process may have other threads by now.
  return waited >= LONGEST_UNSEEN || (threads !== 0 && threads <= AtomicsLoad(block, WORD.THREADS_BEFORE));
}

let isWaiting = false;

/** Whether this thread waits for the control thread now, which may wait for it to obey. */
export const isWaitingForControl = (): boolean => isWaiting;

/**
 * Waits, without the event loop, until the control thread has set word `at` to at least `value`; returns false if the control
 * thread has ended.
 * @param longest milliseconds after which it stops waiting
 */
export function waitForControl(block: ControlBlock, at: number, value: number, longest = LONGEST): boolean {
  needControl(block);
  let look: number = LOOK_AFTER.first;
  isWaiting = true;
  try {
    for (let waited = 0; waited < longest; waited += look) {
      if (waitForWord(block, at, value, look)) return true;
      if (isGone(block, waited)) break;
      look = Math.min(look * 2, LOOK_AFTER.most);
    }
  } finally {
    isWaiting = false;
  }
  return AtomicsLoad(block, at) >= value;
}
