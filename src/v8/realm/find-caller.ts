import type { PointSymbol } from '../../probes/probe-point.js';
import type { FindCaller } from '../call-stack.js';
import { captureRealm, type StackSite } from './capture-stack.js';
import type { Texts } from './texts.js';

/** The address (text-region.ts) of a function without sites, or 0; `name` is undefined if it has none. */
export type AddressOfForeign = (file: string, name: string | undefined) => number;

/** The functions without sites that a thread has found. */
export interface ForeignCallers extends AddressOfForeign {
  /** The symbol at which such an address stands, of those that this thread gave; the control thread names all. */
  symbolAt(address: number): PointSymbol | undefined;
}

/** The traced function and its caller. */
const SHORT = 2;
/** Enough to get past built-ins such as Array.prototype.map, and past fentry's own frames. */
const LONG = 32;
const NOT_CAPTURED = -1;

/**
 * Finds callers by stack captures. It is one function and the two that V8 calls back, because each frame above the trampoline's
 * makes a capture slower (bench/parents).
 */
export const createFindCaller = (texts: Texts, addressOfForeign: AddressOfForeign): FindCaller => {
  const { error, newHolder, capture } = captureRealm();
  let found = 0;

  /** Frames that have no file (built-ins, code of eval) are left out, and fentry's own. */
  const read = (trace: readonly StackSite[]): number => {
    const { length } = trace;
    for (let i = 1; i < length; i++) {
      const site = trace[i]!;
      const file = site.getFileName();
      const text = texts.at(site);
      if (text !== undefined) return site.isAsync() ? 0 : text.base + text.originalOffset(site.getPosition());
      if (typeof file !== 'string' || texts.isOwn(file)) continue;
      return site.isAsync() ? 0 : addressOfForeign(file, site.getFunctionName() ?? undefined);
    }
    return length === SHORT ? NOT_CAPTURED : 0;
  };
  error.stackTraceLimit = SHORT;
  error.prepareStackTrace = (_holder, trace) => {
    found = read(trace);
  };

  return (trampoline) => {
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
  };
};
