import vm from 'node:vm';
import { installFunctionToString } from './function-to-string.js';
import {
  captureStackTrace,
  defineProperty,
  getOwnPropertyDescriptor,
  getPrototypeOf,
  includes,
  isExtensible,
  reflectApply,
} from './primordials.js';
import type { Realm } from './realm.js';
import type { StackCorrection } from './stack-traces.js';

type PrepareStackTrace = (this: unknown, error: unknown, trace: object[]) => unknown;

/**
 * A context has no `Error.prepareStackTrace` until its program puts one there; Node then uses the one of the thread's own
 * realm, which fentry has replaced. The accessor that this defines gives the program's function corrected frames.
 */
const installContextStackTraces = (error: ErrorConstructor, { correct }: StackCorrection): void => {
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

const { Script } = vm;
const { runInContext } = Script.prototype;
/** Only syntax, so that nothing of the program is read: a function, and an error of V8. */
const INTRINSICS = '[function () {}, (() => { try { null.x } catch (error) { return error } })()]';

let script: vm.Script | undefined;

/**
 * Prepares a context for texts with sites, as installRealm does for the thread's own realm: function texts and stack columns
 * are the original ones. Nothing of its global object has to be hidden.
 */
export const installContextRealm = (context: object, { stacks }: Pick<Realm, 'stacks'>): void => {
  try {
    script ??= new Script(INTRINSICS);
    const [anyFunction, anyError] = reflectApply(runInContext, script, [context, { displayErrors: false }]) as [object, object];
    installFunctionToString(getPrototypeOf(anyFunction));
    const errorPrototype = getPrototypeOf(getPrototypeOf(anyError));
    const error: unknown = getOwnPropertyDescriptor(errorPrototype, 'constructor')?.value;
    if (typeof error === 'function') installContextStackTraces(error as ErrorConstructor, stacks);
  } catch {
    // The program has prepared it itself.
  }
};
