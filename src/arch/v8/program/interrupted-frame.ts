import { captureStack, type StackSite } from '../realm/capture-stack.js';
import { startsWith } from '../realm/primordials.js';
import type { Texts } from '../realm/texts.js';

const FRAMES = 12;

/**
 * Whether the code that an inspector's interrupt stopped is fentry's own: a trampoline in the middle of a record, say. Its
 * state must not be changed now; the control thread interrupts again a moment later.
 */
export function interruptedOwnCode(texts: Pick<Texts, 'isOwn'>): boolean {
  let isOwn = false;
  /** The frames: those of the interrupt, own and then one without a file; what was interrupted; its callers. */
  const read = (trace: readonly StackSite[]): void => {
    let inInterrupt = true;
    for (let i = 0; i < trace.length; i++) {
      const file = trace[i]!.getFileName();
      if (inInterrupt) inInterrupt = typeof file === 'string';
      else if (typeof file === 'string' && !startsWith(file, 'node:')) {
        isOwn = texts.isOwn(file);
        return;
      }
    }
  };
  try {
    captureStack(read, interruptedOwnCode, FRAMES);
  } catch {
    // The stack is full.
  }
  return isOwn;
}
