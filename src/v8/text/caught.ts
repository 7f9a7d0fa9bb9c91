import { PIECES } from './pieces.js';

/** The pieces that unwind, in the order of the numbers of their forms: in a synchronous function, an async one, a generator. */
const FORMS = [PIECES.unwind, PIECES.unwindAsync, PIECES.unwindGenerator] as const;

/** Added to the number of a form. */
export const GIVEN = FORMS.length;

/** The number of forms. */
export const CAUGHT_FORMS = 2 * GIVEN;

/** In the place of a name where what was caught has none. */
const NAMELESS = '0,0';

/**
 * A form, cut where the value stands: `Pu(Pt,VALUE)`, `Pd(VALUE)` where the `try` has lost its mark because a wait threw, and
 * `Pw(Ps,VALUE)` or `Pv(Ps,VALUE)`, by which a coroutine comes back.
 */
const cut = (form: string): readonly string[] =>
  form
    .replace(/P([wv])\(Ps\)/, 'P$1(Ps,#)')
    .replace('Pu(Pt)', 'Pu(Pt,#)')
    .replace('Pd()', 'Pd(#)')
    .split('#');

const CUT = FORMS.map(cut);
let known: { readonly prefix: string; readonly forms: readonly (readonly string[])[] } | undefined;

/**
 * What a `catch` begins with: it unwinds, and hands over what it has caught, `{Pt&&Pu(Pt,error)}`. While nothing is traced, the
 * mark is false, so that V8 folds all of it away.
 * @param form 0 in a synchronous function, 1 in an async one, 2 in a generator; more by GIVEN where it has a parameter by fentry
 * @param name of the parameter as it is written; '' for a pattern
 */
export function caughtText(prefix: string, form: number, name: string): string {
  if (known?.prefix !== prefix) known = { prefix, forms: CUT.map((parts) => parts.map((part) => part.split('P').join(prefix))) };
  const value = form >= GIVEN ? `${prefix}c` : name || NAMELESS;
  return (known.forms[form % GIVEN] as readonly string[]).join(value);
}

/** Regular expressions that match every such piece of `prefix` (already escaped), by what the pieces begin with. */
export function caughtPatterns(prefix: string, escaped: (text: string) => string): Readonly<Record<string, string>> {
  const parts = CUT.map((form) => form.map((part) => escaped(part).split('P').join(prefix)));
  return Object.fromEntries(parts.map((form, i) => [CUT[i]![0] as string, form.join('[^(){}]+')]));
}
