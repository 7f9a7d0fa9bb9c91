import { ENTRY_ARROW, ENTRY_GUARD, ENTRY_THIS, ENTRY_VALUE } from './edits.js';

/**
 * The entry site of function number `n`: `{var Ps=typeof Pn==="function"&&Pn(n,this,a,b),Pq}`, with `0` for a
 * `this` that is not passed, and Pq only where a later site needs it. `names` is '' or starts with a comma. An arrow
 * with an expression for a body becomes a block, up to the expression, in a guard if it is async; the order of its
 * variables tells it apart.
 */
export function entryText(prefix: string, n: number, flags: number, names: string): string {
  const receiver = flags & ENTRY_THIS ? 'this' : '0';
  const call = `${prefix}s=typeof ${prefix}${n}==="function"&&${prefix}${n}(${n},${receiver}${names})`;
  if (flags & ENTRY_ARROW) return `{{var ${prefix}q,${call}}${flags & ENTRY_GUARD ? 'try{' : ''}return ((${prefix}q)=`;
  return flags & ENTRY_VALUE ? `{var ${call},${prefix}q}` : `{var ${call}}`;
}

/** A regular expression's source that matches every entry of `prefix` (already escaped), and nothing shorter. */
export function entryPattern(prefix: string): string {
  const call = (n: number) =>
    `${prefix}s=typeof ${prefix}(\\d+)==="function"&&${prefix}\\${n}\\(\\${n},(?:this|0)(?:,[^(),]+)*\\)`;
  return `\\{\\{var ${prefix}q,${call(1)}\\}(?:try\\{)?return \\(\\(${prefix}q\\)=|\\{var ${call(2)}(?:,${prefix}q)?\\}`;
}
