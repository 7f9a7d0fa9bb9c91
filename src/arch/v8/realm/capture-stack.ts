import vm from 'node:vm';
import { create } from './primordials.js';

const { createContext, runInContext } = vm;

/** The part of V8's CallSite that is read. */
export interface StackSite {
  /** A path, or a URL for ES modules; none for built-ins and code of eval. */
  getFileName(): string | undefined | null;
  getFunctionName(): string | undefined | null;
  getPosition(): number;
  isAsync(): boolean;
}

type Callee = (...args: never[]) => unknown;
/** Reads a stack, innermost frame first, and says what it found there. */
export type ReadStack = (trace: readonly StackSite[]) => number;

interface CaptureRealm {
  readonly error: ErrorConstructor;
  readonly newHolder: () => { readonly stack?: unknown };
}

let capture: ((read: ReadStack, callee: Callee, limit: number) => number) | undefined;

/**
 * What `read` finds in the `limit` frames below `callee`'s; 0 when none could be captured. Throws when the stack is full.
 *
 * The capture is made in a realm of fentry's own, whose Error no program can reach: there V8 reads the limit and Node looks
 * for `prepareStackTrace`, so nothing of the program's is read, changed or called. The first call makes that realm (about a
 * millisecond).
 */
export const captureStack = (read: ReadStack, callee: Callee, limit: number): number => {
  capture ??= createCapture();
  return capture(read, callee, limit);
};

const createCapture = (): typeof captureStack => {
  const context = createContext(create(null) as object);
  const { error, newHolder } = runInContext('({ error: Error, newHolder: () => ({}) })', context) as CaptureRealm;
  const { captureStackTrace } = error;
  let read: ReadStack = () => 0;
  let found = 0;
  error.prepareStackTrace = (_holder, trace) => {
    found = read(trace as never);
  };
  return (reader, callee, limit) => {
    // An inspector's interrupt may come in the middle of a capture, and make one too.
    const outer = { read, found, limit: error.stackTraceLimit };
    try {
      read = reader;
      found = 0;
      error.stackTraceLimit = limit;
      const holder = newHolder();
      captureStackTrace(holder, callee);
      // V8 has it prepared when it is read.
      void holder.stack;
      return found;
    } finally {
      read = outer.read;
      found = outer.found;
      error.stackTraceLimit = outer.limit;
    }
  };
};
