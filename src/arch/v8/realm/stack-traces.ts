import type { CallSites } from './call-sites.js';
import { lookLike } from './lookalike.js';
import { captureStackTrace, defineProperty, getOwnPropertyDescriptor, includes, reflectApply } from './primordials.js';
import type { Undo } from './undo.js';

/** `Error.prepareStackTrace`: what Node calls to make `err.stack`, by default its own function of that name. */
type PrepareStackTrace = (this: unknown, error: unknown, trace: object[]) => unknown;

/**
 * Puts fentry between V8 and whoever makes `err.stack`: Node's default, its source map support, or the program's own
 * `Error.prepareStackTrace`. The property becomes an accessor that shows the program what the program put there, and gives
 * Node a function that corrects the frames (`sites`) and the error (`amend`) first.
 */
export const installStackTraces = (
  error: ErrorConstructor,
  sites: CallSites,
  amend: (error: unknown, trace: object[]) => void,
): Undo => {
  const descriptor = getOwnPropertyDescriptor(error, 'prepareStackTrace');
  if (!descriptor?.configurable || typeof descriptor.value !== 'function') return () => {};
  const fallback = descriptor.value as PrepareStackTrace;
  let current: unknown = fallback;
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
  const programsFormat: PrepareStackTrace = function (this: unknown, thrown, trace) {
    return through(this, typeof current === 'function' ? (current as PrepareStackTrace) : fallback, thrown, trace);
  };

  /** While Node makes a stack, V8 prints a stack within by itself: it names Node's file as the reader. */
  const nodeReads = (): boolean => {
    const limit = getOwnPropertyDescriptor(error, 'stackTraceLimit');
    if (!limit?.writable) return false;
    const holder: { stack?: unknown } = {};
    probing = true;
    try {
      error.stackTraceLimit = 1;
      captureStackTrace(holder, accessor.get as never);
      const { stack } = holder;
      return typeof stack === 'string' && includes(stack, '(node:internal/errors:');
    } finally {
      error.stackTraceLimit = limit.value;
      probing = false;
    }
  };
  const accessor = getOwnPropertyDescriptor(
    {
      get prepareStackTrace(): unknown {
        if (probing) return undefined;
        if (current === fallback) return standardFormat;
        return nodeReads() ? programsFormat : current;
      },
      set prepareStackTrace(value: unknown) {
        current = value === standardFormat ? fallback : value;
      },
    },
    'prepareStackTrace',
  ) as PropertyDescriptor;
  defineProperty(error, 'prepareStackTrace', { ...accessor, enumerable: descriptor.enumerable ?? false, configurable: true });
  return () => {
    const now = getOwnPropertyDescriptor(error, 'prepareStackTrace');
    if (now?.get === accessor.get) defineProperty(error, 'prepareStackTrace', { ...descriptor, value: current });
  };
};
