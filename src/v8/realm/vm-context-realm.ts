import vm from 'node:vm';
import { installFunctionToString } from './function-to-string.js';
import { getOwnPropertyDescriptor, getPrototypeOf, reflectApply } from './primordials.js';
import type { Realm } from './realm.js';
import { installContextStackTraces } from './vm-context-stack-traces.js';

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
