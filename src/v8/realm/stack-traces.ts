import type { CallSites } from './call-sites.js';
import { lookLike } from './lookalike.js';
import {
  captureStackTrace,
  defineProperty,
  getOwnPropertyDescriptor,
  includes,
  reflectApply,
  SafeWeakMap,
} from './primordials.js';
import type { Undo } from './undo.js';

/** `Error.prepareStackTrace`: what Node calls to make `err.stack`, by default its own function of that name. */
type PrepareStackTrace = (this: unknown, error: unknown, trace: object[]) => unknown;

/** What corrects the stacks of the thread's own realm. */
export interface StackCorrection {
  /** The frames that the program should see; may correct the error, too. Never throws. */
  readonly correct: (error: unknown, trace: object[]) => object[];
}

/**
 * Puts fentry between V8 and the function that makes `err.stack`: Node's default, its source map support, or the program's own
 * `Error.prepareStackTrace`. The property becomes an accessor that shows the program what the program put there, and gives Node
 * a function that corrects the frames (`sites`) and the error (`amend`) first.
 */
export const installStackTraces = (
  error: ErrorConstructor,
  sites: CallSites,
  amend: (error: unknown, trace: object[]) => void,
): Undo => {
  const descriptor = getOwnPropertyDescriptor(error, 'prepareStackTrace');
  if (!descriptor?.configurable || typeof descriptor.value !== 'function') return () => {};
  const fallback = descriptor.value as PrepareStackTrace;
  /** The program's value, by the getter that returns it. */
  const values = new SafeWeakMap<object, unknown>();
  let probing = false;

  const through = (self: unknown, format: PrepareStackTrace, thrown: unknown, trace: object[]): unknown => {
    let mapped = trace;
    try {
      mapped = sites.map(trace);
      amend(thrown, mapped);
    } catch {
      mapped = trace;
    }
    return reflectApply(format, self, [thrown, mapped]);
  };
  const standardFormat = lookLike(
    ((thrown: unknown, trace: object[]) => through(error, fallback, thrown, trace)) as PrepareStackTrace,
    fallback,
  );

  /** While Node makes a stack, V8 prints a stack within by itself: it names Node's file as the reader. */
  const nodeReads = (getter: () => unknown): boolean => {
    const limit = getOwnPropertyDescriptor(error, 'stackTraceLimit');
    if (!limit?.writable) return false;
    const holder: { stack?: unknown } = {};
    probing = true;
    try {
      error.stackTraceLimit = 1;
      captureStackTrace(holder, getter as never);
      const { stack } = holder;
      return typeof stack === 'string' && includes(stack, '(node:internal/errors:');
    } finally {
      error.stackTraceLimit = limit.value;
      probing = false;
    }
  };

  /**
   * The accessor for one value. Each value has its own accessor: a program that saved a descriptor, and defines it again, gets
   * the old value.
   */
  const holding = (held: unknown): PropertyDescriptor => {
    let value = held;
    const programsFormat: PrepareStackTrace = function (this: unknown, thrown, trace) {
      return through(this, typeof value === 'function' ? (value as PrepareStackTrace) : fallback, thrown, trace);
    };
    const accessor = getOwnPropertyDescriptor(
      {
        get prepareStackTrace(): unknown {
          if (probing) return undefined;
          if (value === fallback) return standardFormat;
          return nodeReads(accessor.get!) ? programsFormat : value;
        },
        set prepareStackTrace(next: unknown) {
          const put = next === standardFormat ? fallback : next;
          if (this !== error) assignOwn(this, next);
          else if (getOwnPropertyDescriptor(error, 'prepareStackTrace')?.configurable) {
            defineProperty(error, 'prepareStackTrace', put === fallback ? standard : holding(put));
          } else {
            value = put;
            values.set(accessor.get!, put);
          }
        },
      },
      'prepareStackTrace',
    ) as PropertyDescriptor;
    values.set(accessor.get!, value);
    return { ...accessor, enumerable: descriptor.enumerable ?? false, configurable: true };
  };

  const standard = holding(fallback);
  defineProperty(error, 'prepareStackTrace', standard);
  return () => {
    const now = getOwnPropertyDescriptor(error, 'prepareStackTrace');
    if (now?.get === undefined || !values.has(now.get)) return;
    defineProperty(error, 'prepareStackTrace', { ...descriptor, value: values.get(now.get) });
  };
};

/** Handles an assignment to a class that extends Error, and so inherits the accessor. */
function assignOwn(holder: unknown, value: unknown): void {
  if (typeof holder !== 'function' && (typeof holder !== 'object' || holder === null)) return;
  defineProperty(holder, 'prepareStackTrace', { value, writable: true, enumerable: true, configurable: true });
}
