import { existsSync } from 'node:fs';
import { type ControlBlock, WORD, waitForWord } from '../control-block.js';

/** Milliseconds after which a thread that waits looks whether the control thread still exists. */
const LOOK_AFTER = 500;
/**
 * Milliseconds after which it waits no longer, even so. Where a hundred workers start at once on two busy cores, each waits
 * for many seconds.
 */
const LONGEST = 60_000;

const isThread = (tid: number): boolean => existsSync(`/proc/self/task/${tid}`);

/** Whether the control thread began and has ended; a /proc that does not show the main thread either says nothing. */
function isGone(block: ControlBlock): boolean {
  const tid = Atomics.load(block, WORD.CONTROL_TID);
  return tid !== 0 && !isThread(tid) && isThread(process.pid);
}

/**
 * Waits, without the event loop, until the control thread has brought word `at` to at least `value`; false when there is no
 * control thread any more that could.
 */
export function waitForControl(block: ControlBlock, at: number, value: number): boolean {
  for (let waited = 0; waited < LONGEST; waited += LOOK_AFTER) {
    if (waitForWord(block, at, value, LOOK_AFTER)) return true;
    if (isGone(block)) break;
  }
  return Atomics.load(block, at) >= value;
}
