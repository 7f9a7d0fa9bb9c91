import { SafeSet } from '../../base/safe-map.js';
import { textAddress } from '../text-region.js';
import type { AddressOfForeign } from './capture-callers.js';
import { captureStack, type StackSite } from './capture-stack.js';
import { startsWith } from './primordials.js';
import type { Texts } from './texts.js';

/**
 * The function that has made happen what one of Node's own events records: an address inside it, 0 if it is not known. Runs no
 * code of the program, and never throws.
 * @param callee the function that fentry has put in the place of Node's: undefined is returned if fentry itself called it
 */
export type CallingFunction = (callee?: AnyFunction) => number | undefined;

type AnyFunction = (this: never, ...args: never[]) => unknown;

/** Enough for most callers, and for those that many built-ins lie above. */
const LIMITS = [8, 40] as const;

/** Node's functions that do it for their caller, by their files. */
const FOR_OTHERS: ReadonlySet<string> = new SafeSet([
  'node:buffer',
  'node:internal/buffer',
  'node:internal/worker',
  'node:diagnostics_channel',
]);

/** fentry's own function. */
const OWN = -1;

/** Finds it on the stack: the innermost function that is neither a built-in nor one that works for its caller. */
export const createCallingFunction = (texts: Texts, addressOfForeign: AddressOfForeign): CallingFunction => {
  const lowAddress = (site: StackSite): number => {
    const low = texts.lowAddress(site);
    if (low !== undefined) return low;
    const file = site.getFileName();
    if (typeof file !== 'string' || FOR_OTHERS.has(file)) return 0;
    return texts.isOwn(file) ? OWN : addressOfForeign(file, site.getFunctionName() ?? undefined);
  };

  return function callingFunction(callee) {
    let found = 0;
    let isWhole = false;
    const read = (trace: readonly StackSite[], limit: number): void => {
      isWhole = trace.length < limit;
      // What awaits the running function has not called it.
      for (let i = 0; i < trace.length && found === 0 && !trace[i]!.isAsync(); i++) {
        found = lowAddress(trace[i]!);
        if (found === OWN && callee === undefined) found = 0;
      }
    };
    try {
      for (let i = 0; i < LIMITS.length && found === 0 && !isWhole; i++) {
        const limit = LIMITS[i]!;
        captureStack((trace) => read(trace, limit), (callee as typeof callingFunction | undefined) ?? callingFunction, limit);
      }
    } catch {
      // The stack is full.
    }
    return found === OWN ? undefined : textAddress(found);
  };
};

/** The function of the program that has asked for something, an address inside it; 0 if it is not known. Never throws. */
export type AskingFunction = () => number;

/** Enough frames to get past Node's own. */
const ASKING_LIMIT = 40;

/**
 * Finds it on the stack: the innermost function that is neither Node's nor fentry's. What awaits the running function counts,
 * too: Node goes on for it.
 */
export const createAskingFunction =
  (texts: Texts, addressOfForeign: AddressOfForeign): AskingFunction =>
  () => {
    let found = 0;
    const read = (trace: readonly StackSite[]): void => {
      for (let i = 0; i < trace.length && found === 0; i++) {
        const site = trace[i]!;
        const low = texts.lowAddress(site);
        const file = site.getFileName();
        if (low !== undefined) found = low;
        else if (typeof file === 'string' && !startsWith(file, 'node:') && !texts.isOwn(file))
          found = addressOfForeign(file, site.getFunctionName() ?? undefined);
      }
    };
    try {
      captureStack(read, captureStack, ASKING_LIMIT);
    } catch {
      // The stack is full.
    }
    return textAddress(found);
  };
