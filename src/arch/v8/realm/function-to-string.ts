import { MODULE_HEAD, SCRIPT_HEAD } from '../text/module-head.js';
import { restore } from '../text/restore.js';
import { originalOf, replaceMethod } from './lookalike.js';
import { reflectApply, slice, startsWith } from './primordials.js';
import type { Undo } from './undo.js';

type ToString = (this: unknown) => string;

/** Units of the longest text that is remembered. */
const REMEMBERED = 1 << 16;

/** Restores texts, with the last one remembered: some programs use a function as the name of a property, thousands of times. */
const rememberingRestore = (): ((text: string) => string) => {
  let last = '';
  let restored = '';
  return (text) => {
    if (text === last) return restored;
    const original = restore(text);
    if (text.length <= REMEMBERED) {
      last = text;
      restored = original;
    }
    return original;
  };
};

/** Makes a realm's `Function.prototype.toString` return the original text of every function. */
export const installFunctionToString = (prototype: object): Undo =>
  replaceMethod<ToString>(prototype, 'toString', (native) => {
    const original = rememberingRestore();
    return {
      toString(this: unknown): string {
        const standsFor = typeof this === 'function' ? originalOf(this) : undefined;
        const text = reflectApply(native, standsFor ?? this, []) as string;
        if (standsFor !== undefined) return text;
        return original(startsWith(text, SCRIPT_HEAD) ? MODULE_HEAD + slice(text, SCRIPT_HEAD.length) : text);
      },
    }.toString;
  });
