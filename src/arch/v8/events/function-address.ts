import {
  RegExpPrototypeExec as exec,
  typesIsProxy as isProxy,
  StringPrototypeStartsWith as startsWith,
  FunctionPrototypeToString as textOf,
} from '../../../base/primordials.js';
import type { AddressOfForeign } from '../realm/find-caller.js';
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

const ownName = (value: object): string => (isProxy(value) ? '' : ownString(value, 'name'));

/** What a function without sites is called; what `bind` has made is called as what it calls. */
function nameOf(value: object): string {
  let name = ownName(value);
  while (startsWith(name, BOUND)) name = slice(name, BOUND.length);
  return name === '' ? 'anonymous' : name;
}

/**
 * Finds the address of a function's text by the site in it; 0 for what is no function. One without a site has an address by its name.
 * A number is taken for an address. Runs no code of the program. Where a parameter's default value is a function, that one is found.
 */
export function createAddressOf(trace: ThreadTrace, foreign: () => AddressOfForeign): (value: unknown) => number {
  const numbers = new SafeWeakMap<object, number>();
  const siteless = (value: object): number => {
    const isBound = startsWith(ownName(value), BOUND);
    const isNative = !isBound && exec(NATIVE, textOf(value as never)) !== null;
    return foreign()(isNative ? BUILT_IN : UNKNOWN, nameOf(value));
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
