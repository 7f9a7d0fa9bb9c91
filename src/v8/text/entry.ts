import { ENTRY_ARROW, ENTRY_GENERATOR, ENTRY_GUARD, ENTRY_THIS, ENTRY_UNSET, ENTRY_VALUE } from './edits.js';

/**
 * The entry site of function number `n`: `{{var Ps=!1,Pq}if(typeof Pn==="function"&&typeof(Ps=Pn(n,this,a,b))==="function")return
 * Ps()}`, with `0` for a `this` that is not passed, and Pq only where a later site needs it. `names` is '' or starts with a
 * comma. Ps becomes the call's token, or what is called in place of the rest of the body. It begins as `false`: `undefined` would
 * be a constant that the function's own code may have, which V8 would then place elsewhere. But in a function that stands in an
 * expression it does begin as `undefined`: V8 can parse that with the functions before it, and takes the name of a variable that
 * is initialized for that of functions without one (`f(function () {}, () => 1)`).
 *
 * A generator has no such way out: it would need a `yield*`, and V8 compiles each place where a generator can wait, whether it is
 * reached or not.
 *
 * An arrow with an expression for a body becomes a block, up to the expression, in a guard if it is async; the order of its
 * variables tells it apart.
 */
export function entryText(prefix: string, n: number | string, flags: number, names: string): string {
  if (known?.prefix !== prefix) known = { prefix, parts: [] };
  const [before, between, self, after] = (known.parts[flags] ??= partsOf(prefix, flags));
  const number = String(n);
  return `${before}${number}${between}${number}(${number}${self}${names}${after}`;
}

/** What stands in an entry before the function's number, between the first two, behind the third one, and behind the names. */
type EntryParts = readonly [before: string, between: string, self: string, after: string];

/** Parts by flags, with the prefix that nearly all texts have: a large program has thousands of entries. */
let known: { readonly prefix: string; readonly parts: EntryParts[] } | undefined;

function partsOf(prefix: string, flags: number): EntryParts {
  const P = prefix;
  const self = flags & ENTRY_THIS ? ',this' : ',0';
  const value = flags & ENTRY_VALUE ? `,${P}q` : '';
  if (flags & ENTRY_GENERATOR) return [`{var ${P}s=typeof ${P}`, `==="function"&&${P}`, self, `)${value}}`];
  const token = flags & ENTRY_UNSET ? `${P}s` : `${P}s=!1`;
  const between = `==="function"&&typeof(${P}s=${P}`;
  const wayOut = `))==="function")return ${P}s()}`;
  if (flags & ENTRY_ARROW)
    return [
      `{{{var ${P}q,${token}}if(typeof ${P}`,
      between,
      self,
      `${wayOut}${flags & ENTRY_GUARD ? 'try{' : ''}return ((${P}q)=`,
    ];
  return [`{{var ${token}${value}}if(typeof ${P}`, between, self, wayOut];
}

/**
 * Regular expressions that match the entries of `prefix` (already escaped), and nothing shorter, by what the entries begin with.
 */
export function entryPatterns(prefix: string): Readonly<Record<string, string>> {
  const P = prefix;
  const call = (group: string): string => `${P}\\k<${group}>\\(\\k<${group}>,(?:this|0)(?:,[^(),]+)*\\)`;
  const wayOut = (group: string): string =>
    `if\\(typeof ${P}(?<${group}>\\d+)==="function"&&typeof\\(${P}s=${call(group)}\\)==="function"\\)return ${P}s\\(\\)\\}`;
  return {
    '{{{var ': `\\{\\{\\{var ${P}q,${P}s(?:=!1)?\\}${wayOut('arrow')}(?:try\\{)?return \\(\\(${P}q\\)=`,
    '{{var ': `\\{\\{var ${P}s(?:=!1)?(?:,${P}q)?\\}${wayOut('plain')}`,
    '{var ': `\\{var ${P}s=typeof ${P}(?<generator>\\d+)==="function"&&${call('generator')}(?:,${P}q)?\\}`,
  };
}
