import { getOwnPropertyDescriptor, reflectApply } from '../../realm/primordials.js';

type Completed = (this: unknown, ...args: unknown[]) => unknown;

/**
 * Calls `heard` before the function that Node has set on a request to be called at its end. That function is set back then, with
 * its arguments and receiver unchanged. `heard` must not throw.
 * @param key `oncomplete` of most requests
 * @returns false if the request has no such function
 */
export function atCompletion(request: object, key: string, heard: (args: readonly unknown[]) => void): boolean {
  const descriptor = getOwnPropertyDescriptor(request, key);
  const original = descriptor?.value as Completed | undefined;
  if (typeof original !== 'function' || descriptor?.writable !== true) return false;
  const target = request as Record<string, unknown>;
  target[key] = function (this: unknown, ...args: unknown[]): unknown {
    target[key] = original;
    heard(args);
    return reflectApply(original, this, args);
  };
  return true;
}
