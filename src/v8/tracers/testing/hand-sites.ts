import { runInThisContext } from 'node:vm';
import type { PortCells } from '../cells.js';

/**
 * Patch sites written by hand, as arch/v8 puts them into a text: what the tests and benchmarks of the tracers trace.
 * The prefix is `$f`; variables are `$fs` (token), `$fq` (value), `$ft` (mark).
 */

/** Entry of function `n`; first in a body. `params` are the names to pass. */
export const entry = (n: number, params = '', self = 'this'): string =>
  `{{var $fs=!1,$fq,$ft}if(typeof $f${n}==="function"&&typeof($fs=$f${n}(${n},${self}${params && `,${params}`}))==="function")return $fs()}`;

/** `return expression` of a sync function. */
export const ret = (expression: string): string => `return (($fq)=(${expression}),$fs&&$fx($fs,$fq),$fq);`;

/** The end of a sync function's body. */
export const end = '{$fs&&$fx($fs)}';

/** First in a try block, first in its catch and finally. */
export const enterTry = '{($ft)=typeof $fd==="function"&&$fd()}';
export const caught = '{$ft&&$fu($ft)}';

/** `return expression` and end of body of a coroutine. */
export const coReturn = (expression: string): string => `return (($fq)=(${expression}),$fs&&$fy($fs,$fq),$fq);`;
export const coEnd = '{$fs&&$fy($fs)}';
export const awaits = (expression: string): string => `(($fq)=await (($fq)=(${expression}),$fs&&$fz($fs),$fq),$fs&&$fw($fs),$fq)`;
export const yields = (expression: string): string => `(($fq)=yield (($fq)=(${expression}),$fs&&$fz($fs),$fq),$fs&&$fv($fs),$fq)`;
/** First in a catch or finally of an async function, of a generator. */
export const coCaught = '{$fs&&$fw($fs)}';
export const genCaught = '{$fs&&$fv($fs)}';

/** In a finally around a coroutine's whole body. */
export const coLeft = '{$fs&&$fk($fs)}';

const SERVICES = ['x', 'y', 'z', 'w', 'v', 'k', 'd', 'u'];

/** Cells on this realm's global object for functions 0 to `count` - 1. */
export function handCells(count: number): PortCells {
  const scope = globalThis as unknown as Record<string, unknown>;
  const put = (name: string, value: unknown): boolean => {
    delete scope[name];
    Object.defineProperty(scope, name, { value, writable: true, enumerable: false, configurable: true });
    return true;
  };
  for (let n = 0; n < count; n++) put(`$f${n}`, 0);
  for (const letter of SERVICES) put(`$f${letter}`, 0);
  return {
    arm(n, trampoline) {
      scope[`$f${n}`] = trampoline;
      return true;
    },
    disarm: (n) => put(`$f${n}`, 0),
    setCall(letter, value) {
      put(`$f${letter}`, value);
    },
  };
}

/** Runs a source text of hand-made sites as a strict script of its own and returns what its last `return` gives. */
export const run = <T>(source: string): T => runInThisContext(`'use strict';(function(){${source}})()`) as T;
