import {
  captureStackTrace,
  defineProperty,
  getOwnPropertyDescriptor,
  includes,
  isExtensible,
  reflectApply,
} from './primordials.js';

type PrepareStackTrace = (this: unknown, error: unknown, trace: object[]) => unknown;

/** What corrects the stacks of the thread's own realm. */
export interface StackCorrection {
  /** The frames that the program should see; may correct the error, too. Never throws. */
  readonly correct: (error: unknown, trace: object[]) => object[];
}

/**
 * A context has no `Error.prepareStackTrace` until its program puts one there; Node then uses the one of the thread's own
 * realm, which fentry has replaced. The accessor that this defines gives the program's function corrected frames.
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
