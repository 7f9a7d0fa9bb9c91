import { ENTRY_ARROW, ENTRY_GENERATOR, ENTRY_GUARD, ENTRY_THIS, ENTRY_VALUE } from './edits.js';

/**
 * The entry site of function number `n`: `{{var Ps=!1,Pq}if(typeof Pn==="function"&&typeof(Ps=Pn(n,this,a,b))==="function")return
 * Ps()}`, with `0` for a `this` that is not passed, and Pq only where a later site needs it. `names` is '' or starts with a comma.
 * Ps becomes the call's token, or what is called in place of the rest of the body. It begins as `false`: `undefined` would be a
 * constant that the function's own code may have, which V8 would then place elsewhere.
 *
 * A generator has no such way out: it would need a `yield*`, and V8 compiles each place where a generator can wait, whether it is
 * reached or not.
 *
 * An arrow with an expression for a body becomes a block, up to the expression, in a guard if it is async; the order of its
 * variables tells it apart.
 */
export function entryText(prefix: string, n: number, flags: number, names: string): string {
  const P = prefix;
  const call = `${P}${n}(${n},${flags & ENTRY_THIS ? 'this' : '0'}${names})`;
  const value = flags & ENTRY_VALUE ? `,${P}q` : '';
  if (flags & ENTRY_GENERATOR) return `{var ${P}s=typeof ${P}${n}==="function"&&${call}${value}}`;
  const wayOut = `if(typeof ${P}${n}==="function"&&typeof(${P}s=${call})==="function")return ${P}s()}`;
  if (flags & ENTRY_ARROW) return `{{{var ${P}q,${P}s=!1}${wayOut}${flags & ENTRY_GUARD ? 'try{' : ''}return ((${P}q)=`;
  return `{{var ${P}s=!1${value}}${wayOut}`;
}

/** The groups of entryPattern. */
export const ENTRY_GROUPS = 3;

/** A regular expression's source that matches every entry of `prefix` (already escaped), and nothing shorter. */
export function entryPattern(prefix: string): string {
  const P = prefix;
  const call = (n: number): string => `${P}\\${n}\\(\\${n},(?:this|0)(?:,[^(),]+)*\\)`;
  const wayOut = (n: number): string =>
    `if\\(typeof ${P}(\\d+)==="function"&&typeof\\(${P}s=${call(n)}\\)==="function"\\)return ${P}s\\(\\)\\}`;
  const arrow = `\\{\\{\\{var ${P}q,${P}s=!1\\}${wayOut(1)}(?:try\\{)?return \\(\\(${P}q\\)=`;
  const generator = `\\{var ${P}s=typeof ${P}(\\d+)==="function"&&${call(3)}(?:,${P}q)?\\}`;
  return `${arrow}|\\{\\{var ${P}s=!1(?:,${P}q)?\\}${wayOut(2)}|${generator}`;
}
