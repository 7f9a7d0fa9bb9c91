import vm from 'node:vm';
import { filePath, folderUrl } from '../../base/file-path.js';
import { PEEKS } from '../callers/peeks.js';
import type { ChainRealm } from '../callers/place-chain.js';
import type { WasmApi } from '../machine-code/wasm-function.js';
import { create } from './primordials.js';
import type { NamedSite } from './texts.js';

const { createContext, runInContext } = vm;

/** In fentry's folder: an interrupt can stop the functions of the realm, too, and must know them for fentry's own. */
const FILE = filePath(`${folderUrl(import.meta.url)}capture-realm.js`);

/** The part of V8's CallSite that is read. */
export interface StackSite extends NamedSite {
  getFunctionName(): string | undefined | null;
  getPosition(): number;
  isAsync(): boolean;
  isEval(): boolean;
}

/**
 * Captures stacks in a separate realm, whose Error no program can reach. V8 reads the limit there, and Node looks for
 * `prepareStackTrace` there, so nothing of the program is read, changed or called.
 */
export interface CaptureRealm {
  readonly error: { stackTraceLimit: number; prepareStackTrace: (holder: unknown, trace: readonly StackSite[]) => void };
  /** The object to capture into; reading `stack` prepares it. Throws if the stack is full. */
  readonly newHolder: () => { readonly stack?: unknown };
  /** Captures the frames below that of `callee`. */
  readonly capture: (holder: object, callee: (...args: never[]) => unknown) => void;
  readonly wasm: WasmApi | undefined;
  readonly newWeakMap: () => WeakMap<object, number>;
  /** Returns a new function, which has not been compiled yet (place-chain.ts). */
  readonly newPeek: ChainRealm['newPeek'];
}

/** The calls one by one: a loop would be compiled. */
const PEEKED = Array.from({ length: PEEKS }, (_, i) => `read(what + ${i}, null)`).join();

const REALM = `({
  error: Error,
  newHolder: () => ({}),
  capture: Error.captureStackTrace,
  wasm: globalThis.WebAssembly,
  newWeakMap: () => new WeakMap(),
  newPeek: () => (read, what) => [${PEEKED}],
})`;

let realm: CaptureRealm | undefined;

/** The thread's realm; the first call creates it (about a millisecond). */
export const captureRealm = (): CaptureRealm => {
  realm ??= runInContext(REALM, createContext(create(null) as object), { filename: FILE }) as CaptureRealm;
  return realm;
};

/**
 * Calls `read` with the innermost `limit` frames below that of `callee`. It may come in the middle of another capture: an
 * inspector's interrupt can. Throws when the stack is full.
 */
export const captureStack = (
  read: (trace: readonly StackSite[]) => void,
  callee: (...args: never[]) => unknown,
  limit: number,
): void => {
  const { error, newHolder, capture } = captureRealm();
  const { stackTraceLimit, prepareStackTrace } = error;
  try {
    error.stackTraceLimit = limit;
    error.prepareStackTrace = (_holder, trace) => read(trace);
    const holder = newHolder();
    capture(holder, callee);
    void holder.stack;
  } finally {
    error.stackTraceLimit = stackTraceLimit;
    error.prepareStackTrace = prepareStackTrace;
  }
};
