import type { AddressOfForeign } from '../realm/capture-callers.js';
import { captureStack, type StackSite } from '../realm/capture-stack.js';
import type { Texts } from '../realm/texts.js';

type AnyFunction = (...args: never[]) => unknown;

/** fentry's own frames, the condition's, the function's, and built-ins such as Array.prototype.map below it. */
const CALLER_FRAMES = 16;

/**
 * The address in the caller of the function whose breakpoint is hit, from inside of what the condition calls; 0 if there is none.
 * The frames: the condition's, the function's that was hit, and its callers.
 * @param callee the function below whose frame to look
 */
export function callerOfHit(texts: Texts, addressOfForeign: AddressOfForeign, callee: AnyFunction): number {
  let caller = 0;
  const addressOf = (file: string, site: StackSite): number => {
    const text = texts.get(file);
    return text === undefined
      ? addressOfForeign(file, site.getFunctionName() ?? undefined)
      : text.base + text.originalOffset(site.getPosition());
  };
  try {
    captureStack(
      (trace) => {
        const from = trace.findIndex((site) => site.getFunctionName() === 'eval' && typeof site.getFileName() !== 'string');
        for (const site of from < 0 ? [] : trace.slice(from + 2)) {
          const file = site.getFileName();
          if (typeof file !== 'string') continue;
          if (!site.isAsync()) caller = addressOf(file, site);
          return;
        }
      },
      callee,
      CALLER_FRAMES,
    );
  } catch {
    // The stack is full.
  }
  return caller;
}
