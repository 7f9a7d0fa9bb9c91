import {
  RegExpPrototypeExec as exec,
  typesIsProxy as isProxy,
  StringPrototypeStartsWith as startsWith,
  FunctionPrototypeToString as textOf,
} from '../../base/primordials.js';
import type { AddressOfForeign } from '../realm/capture-callers.js';
import { SafeWeakMap, slice } from '../realm/primordials.js';
import { BUILT_IN } from '../realm/walk-stack.js';
import { textAddress } from '../text-region.js';
import { ownString } from '../tracers/own-property.js';
import type { ThreadTrace } from '../tracers/thread-trace.js';

// Node's own, taken before the realm shows the program texts without sites.

/** The entry site of a function, with its number. */
const ENTRY = /typeof \$f\$*(\d+)==="function"&&(?:typeof\(\$f\$*s=)?\$f/;
const NATIVE = /\{ \[native code\] \}$/;
/** The text of a function without sites: which file has it is not known. */
const UNKNOWN = '';
const BOUND = 'bound ';

/** What `bind` has made is called as what it calls. */
function withoutBound(name: string): string {
  let rest = name;
  while (startsWith(rest, BOUND)) rest = slice(rest, BOUND.length);
  return rest;
}

/** V8's functions without a name are those that resolve and reject a promise: `setTimeout(resolve, 10)`. */
const NAMELESS = { program: 'anonymous', native: 'resolving_function' } as const;

/**
 * Finds the address of a function's text by the site in it; 0 for what is no function. One without a site has an address by its
 * name. A number is taken for an address. Runs no code of the program. Where a parameter's default value is a function, that one
 * is found.
 */
export function createAddressOf(trace: ThreadTrace, foreign: () => AddressOfForeign): (value: unknown) => number {
  const numbers = new SafeWeakMap<object, number>();
  const siteless = (value: object): number => {
    if (isProxy(value)) return foreign()(UNKNOWN, NAMELESS.program);
    const name = ownString(value, 'name');
    const isNative = !startsWith(name, BOUND) && exec(NATIVE, textOf(value as never)) !== null;
    if (isNative) return foreign()(BUILT_IN, name || NAMELESS.native);
    return foreign()(UNKNOWN, withoutBound(name) || NAMELESS.program);
  };
  return (value) => {
    if (typeof value === 'number') return value;
    if (typeof value !== 'function') return 0;
    let n = numbers.get(value);
    if (n === undefined) {
      n = Number(exec(ENTRY, textOf(value as never))?.[1] ?? -1);
      numbers.set(value, n);
    }
    return textAddress(n < 0 ? siteless(value) : (trace.addresses[n] ?? 0));
  };
}
