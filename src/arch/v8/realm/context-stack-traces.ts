import {
  captureStackTrace,
  defineProperty,
  getOwnPropertyDescriptor,
  includes,
  isExtensible,
  reflectApply,
} from './primordials.js';

type PrepareStackTrace = (this: unknown, error: unknown, trace: object[]) => unknown;

/** What the stacks of the thread's own realm go through. */
export interface StackCorrection {
  /** The frames that the program should see; may correct the error, too. Never throws. */
  readonly correct: (error: unknown, trace: object[]) => object[];
}

/**
 * A context has no `Error.prepareStackTrace` until its program puts one there; Node then uses the one of the thread's own realm,
 * where fentry stands. What the program puts there is given corrected frames by the accessor that this defines.
 */
export const installContextStackTraces = (error: ErrorConstructor, { correct }: StackCorrection): void => {
  const existing = getOwnPropertyDescriptor(error, 'prepareStackTrace');
  if (existing === undefined ? !isExtensible(error) : !existing.configurable || existing.get !== undefined) return;
  let current: unknown = existing?.value;
  let probing = false;

  const programsFormat: PrepareStackTrace = function (this: unknown, thrown, trace) {
    return reflectApply(current as PrepareStackTrace, this, [thrown, correct(thrown, trace)]);
  };
  const nodeReads = (): boolean => {
    const limit = getOwnPropertyDescriptor(Error, 'stackTraceLimit');
    if (!limit?.writable) return false;
    const holder: { stack?: unknown } = {};
    probing = true;
    try {
      Error.stackTraceLimit = 1;
      captureStackTrace(holder, accessor.get as never);
      const { stack } = holder;
      return typeof stack === 'string' && includes(stack, '(node:internal/errors:');
    } finally {
      Error.stackTraceLimit = limit.value;
      probing = false;
    }
  };
  const accessor = getOwnPropertyDescriptor(
    {
      get prepareStackTrace(): unknown {
        if (probing || typeof current !== 'function') return probing ? undefined : current;
        return nodeReads() ? programsFormat : current;
      },
      set prepareStackTrace(value: unknown) {
        current = value;
      },
    },
    'prepareStackTrace',
  ) as PropertyDescriptor;
  defineProperty(error, 'prepareStackTrace', { ...accessor, enumerable: false, configurable: true });
};
