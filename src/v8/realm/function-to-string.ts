import { MODULE_HEAD, SCRIPT_HEAD } from '../text/module-head.js';
import { restore } from '../text/restore.js';
import { originalOf, replaceMethod } from './lookalike.js';
import { orWithOwnBuiltIns } from './own-built-ins.js';
import { deref, reflectApply, SafeWeakRef, slice, startsWith } from './primordials.js';
import type { Undo } from './undo.js';

type ToString = (this: unknown) => string;

/** Units of the longest text that is remembered. */
const REMEMBERED = 1 << 16;

/**
 * Makes a realm's `Function.prototype.toString` return the original text of every function. That of the last function is
 * remembered: some programs use a function as the name of a property, thousands of times.
 */
export const installFunctionToString = (prototype: object): Undo =>
  replaceMethod<ToString>(prototype, 'toString', (native) => {
    let last: WeakRef<object> | undefined;
    let restored = '';
    return {
      toString(this: unknown): string {
        const known = last && deref(last);
        if (known !== undefined && known === this) return restored;
        const text = reflectApply(native, this, []) as string;
        const standsFor = originalOf(this as object);
        if (standsFor !== undefined) return reflectApply(native, standsFor, []) as string;
        const original = orWithOwnBuiltIns(() =>
          restore(startsWith(text, SCRIPT_HEAD) ? MODULE_HEAD + slice(text, SCRIPT_HEAD.length) : text),
        );
        if (text.length <= REMEMBERED) {
          last = new SafeWeakRef(this as object);
          restored = original;
        }
        return original;
      },
    }.toString;
  });
