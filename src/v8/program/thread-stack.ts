import { setImmediate_ as setImmediate } from '../../base/primordials.js';
import { captureStack, type StackSite } from '../realm/capture-stack.js';
import { startsWith } from '../realm/primordials.js';
import type { Texts } from '../realm/texts.js';

const FRAMES = 12;

/**
 * Whether the code that an inspector's interrupt stopped is fentry's own: a trampoline in the middle of a record, say. Its
 * state must not be changed now. Also true if there is nothing to tell by: the stack is full, or V8 prepares another stack
 * trace at this moment, for example to find a caller.
 */
export function interruptedOwnCode(texts: Pick<Texts, 'isOwn'>): boolean {
  let isOwn = true;
  /** The frames: those of the interrupt, own and then one without a file; what was interrupted; its callers. */
  const read = (trace: readonly StackSite[]): void => {
    isOwn = false;
    let inInterrupt = true;
    for (let i = 0; i < trace.length; i++) {
      const file = trace[i]!.getFileName();
      // What an inspector evaluates has an empty name.
      const hasFile = typeof file === 'string' && file !== '';
      if (inInterrupt) inInterrupt = hasFile;
      else if (hasFile && !startsWith(file, 'node:')) {
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

/**
 * Calls in each other: their frames have some hundred bytes each, and cover the 16 KB that libuv keeps on the stack of an idle
 * event loop.
 */
const CALLS = 400;

const call = (more: number): number => (more === 0 ? 0 : 1 + call(more - 1));

/**
 * Writes over what calls that have ended have left on the stack of this thread, in the next turn of its event loop: there the
 * stack is not as deep as where messages arrive. Who looks for calls that are open would take it for some.
 */
export const clearStack = (): void => void setImmediate(() => call(CALLS)).unref();
