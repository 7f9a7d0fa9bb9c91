import { defineProperty, getOwnPropertyDescriptor, reflectApply } from '../../realm/primordials.js';

type Binding = Readonly<Record<string, unknown>>;

// Taken before the program could replace it. @types/node does not have it.
const { binding } = process as unknown as { readonly binding?: (name: string) => Binding };

/**
 * The functions in C++ that a part of Node's library calls, in the object that the library itself has: a function that is
 * replaced there is replaced for all of Node. Undefined where a permission model forbids it.
 *
 * With --pending-deprecation Node warns of the first call of process.binding(): this one counts, but is silent.
 */
export function nativeBinding(name: string): Binding | undefined {
  if (binding === undefined) return undefined;
  const before = getOwnPropertyDescriptor(process, 'noDeprecation');
  if (before === undefined || before.configurable === true) {
    defineProperty(process, 'noDeprecation', { value: true, configurable: true, enumerable: true, writable: true });
  }
  try {
    return reflectApply(binding, process, [name]) as Binding;
  } catch {
    return undefined;
  } finally {
    if (before === undefined) Reflect.deleteProperty(process, 'noDeprecation');
    else if (before.configurable === true) defineProperty(process, 'noDeprecation', before);
  }
}
