import { RegExpPrototypeExec as exec, FunctionPrototypeToString as textOf } from '../../../base/primordials.js';
import { SafeWeakMap } from '../realm/primordials.js';
import { textAddress } from '../text-region.js';
import type { ThreadTrace } from '../tracers/thread-trace.js';

// Node's own, taken before the realm shows the program texts without sites.

/** The entry site of a function, with its number. */
const ENTRY = /typeof \$f\$*(\d+)==="function"&&(?:typeof\(\$f\$*s=)?\$f/;

/**
 * Finds the address of a function's text by the site in it; 0 for what is no function, or has no site. A number is taken for an
 * address. Runs no code of the program. Where a parameter's default value is a function, that one is found.
 */
export function createAddressOf(trace: ThreadTrace): (value: unknown) => number {
  const numbers = new SafeWeakMap<object, number>();
  return (value) => {
    if (typeof value === 'number') return value;
    if (typeof value !== 'function') return 0;
    let n = numbers.get(value);
    if (n === undefined) {
      n = Number(exec(ENTRY, textOf(value as never))?.[1] ?? -1);
      numbers.set(value, n);
    }
    return n < 0 ? 0 : textAddress(trace.addresses[n] ?? 0);
  };
}
