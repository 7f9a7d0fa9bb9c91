import type { AnyFunction } from '../callers/chain-code.js';
import type { CapturedCallers } from '../callers/remember-callers.js';
import { captureRealm, captureStack, type StackSite } from './capture-stack.js';
import type { Texts } from './texts.js';

/** The address (text-region.ts) of a function without sites, or 0; `name` is undefined if it has none. */
export type AddressOfForeign = (file: string, name: string | undefined) => number;

/** The traced function and its caller. */
const SHORT = 2;
/** Enough to get past built-ins such as Array.prototype.map, and past fentry's own frames. */
const LONG = 32;
/** Frames of a whole stack; more are not counted. */
const WHOLE = 200;
const NOT_CAPTURED = -1;

/** How many frames there are below that of `callee`; undefined: too many. Throws if the stack is full. */
export function framesBelow(callee: AnyFunction): number | undefined {
  let frames = WHOLE;
  captureStack(
    (trace) => {
      frames = trace.length;
    },
    callee,
    WHOLE,
  );
  return frames < WHOLE ? frames : undefined;
}

/** What `find` finds in all frames below that of `callee`, and from which on they are not fentry's. Throws as framesBelow. */
export function inWholeStack<Found>(
  texts: Pick<Texts, 'isOwn'>,
  callee: AnyFunction,
  find: (trace: readonly StackSite[], from: number) => Found,
): Found {
  let found: Found | undefined;
  const read = (trace: readonly StackSite[]): void => {
    let from = 0;
    for (; from < trace.length; from++) {
      const file = trace[from]!.getFileName();
      if (typeof file !== 'string' || !texts.isOwn(file)) break;
    }
    found = find(trace, from);
  };
  captureStack(read, callee, WHOLE);
  return found as Found;
}

/**
 * Finds callers by stack captures. It is one function and the two that V8 calls back, because each frame above the trampoline's
 * makes a capture slower (bench/parents).
 */
export const createCapturedCallers = (texts: Texts, addressOfForeign: AddressOfForeign): CapturedCallers => {
  const { error, newHolder, capture } = captureRealm();
  let found = 0;
  /** Where the caller was in the last capture. */
  let foundAt = 0;

  /** Frames that have no file (built-ins, code of eval) are left out, and fentry's own. */
  const read = (trace: readonly StackSite[], from: number): number => {
    const { length } = trace;
    for (let i = from; i < length; i++) {
      const site = trace[i]!;
      const file = site.getFileName();
      const low = texts.lowAddress(site);
      foundAt = i;
      if (low !== undefined) return site.isAsync() ? 0 : low;
      if (typeof file !== 'string' || texts.isOwn(file)) continue;
      return site.isAsync() ? 0 : addressOfForeign(file, site.getFunctionName() ?? undefined);
    }
    return length === SHORT ? NOT_CAPTURED : 0;
  };
  const prepare = (_holder: unknown, trace: readonly StackSite[]): void => {
    found = read(trace, 1);
  };
  error.stackTraceLimit = SHORT;
  error.prepareStackTrace = prepare;

  return {
    find(trampoline) {
      try {
        found = 0;
        let holder = newHolder();
        capture(holder, trampoline);
        void holder.stack;
        if (found !== NOT_CAPTURED) return found;
        found = 0;
        error.stackTraceLimit = LONG;
        holder = newHolder();
        capture(holder, trampoline);
        void holder.stack;
        return found;
      } catch {
        // The stack is full.
        return 0;
      } finally {
        if (error.stackTraceLimit !== SHORT) error.stackTraceLimit = SHORT;
      }
    },
    framesBefore(callee, address) {
      return inWholeStack(texts, callee, (trace, traced) => read(trace, traced + 1)) === address ? foundAt : undefined;
    },
    framesBelow,
  };
};
