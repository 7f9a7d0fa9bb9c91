import { MODULE_HEAD, SCRIPT_HEAD } from '../text/module-head.js';
import { restore } from '../text/restore.js';
import { originalOf, replaceMethod } from './lookalike.js';
import { reflectApply, slice, startsWith } from './primordials.js';
import type { Undo } from './undo.js';

type ToString = (this: unknown) => string;

/** Makes a realm's `Function.prototype.toString` return the original text of every function. */
export const installFunctionToString = (prototype: object): Undo =>
  replaceMethod<ToString>(
    prototype,
    'toString',
    (native) =>
      ({
        toString(this: unknown): string {
          const standsFor = typeof this === 'function' ? originalOf(this) : undefined;
          const text = reflectApply(native, standsFor ?? this, []) as string;
          if (standsFor !== undefined) return text;
          return restore(startsWith(text, SCRIPT_HEAD) ? MODULE_HEAD + slice(text, SCRIPT_HEAD.length) : text);
        },
      }).toString,
  );
