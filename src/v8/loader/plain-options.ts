import { types } from 'node:util';
import { getOwnPropertyDescriptor } from '../realm/primordials.js';

const { isProxy } = types;

/**
 * The options of a call as the program has written them, read without running any code of the program's; undefined if that is
 * not possible (a Proxy, accessors, inherited options). A string is a `filename`.
 */
export const plainOptions = <K extends string>(
  options: unknown,
  names: readonly K[],
): Partial<Record<K, unknown>> | undefined => {
  const read: Record<string, unknown> = { __proto__: null };
  if (options === undefined) return read as never;
  if (typeof options === 'string') return { filename: options } as never;
  if (typeof options !== 'object' || options === null || isProxy(options)) return undefined;
  for (let i = 0; i < names.length; i++) {
    const name = names[i]!;
    const own = getOwnPropertyDescriptor(options, name);
    if (own === undefined ? name in options : own.get !== undefined || own.set !== undefined) return undefined;
    read[name] = own?.value;
  }
  return read as never;
};
