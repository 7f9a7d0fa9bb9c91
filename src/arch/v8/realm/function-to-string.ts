import { restore } from '../text/restore.js';
import { originalOf, replaceMethod } from './lookalike.js';
import { reflectApply } from './primordials.js';
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
          return standsFor === undefined ? restore(text) : text;
        },
      }).toString,
  );
