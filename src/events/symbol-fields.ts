import type { EventFormat } from './define.js';
import type { EventField } from './fields.js';
import { type Token, tokensOf } from './print/tokens.js';

/** A conversion of a format: the stars in it take arguments of their own, `%%` none. */
const CONVERSION = /%(?:%|[-+ #0]*(?<width>\*|\d+)?(?:\.(?<precision>\*|\d+))?(?:hh?|ll?|z|t|j|L)?(?<kind>p\w*|[A-Za-z]))/g;
/** Conversions that print an address of text by its name. */
const SYMBOL = /^p[sSfFB]/;

const OPENING: ReadonlySet<string> = new Set(['(', '{', '[']);
const CLOSING: ReadonlySet<string> = new Set([')', '}', ']']);

/** Bytes of an address. */
const ADDRESS_BYTES = 8;

/** The format of a print text, and the tokens of each argument. */
function partsOf(print: string): { readonly format: string; readonly args: readonly (readonly Token[])[] } {
  const args: Token[][] = [[]];
  let depth = 0;
  for (const token of tokensOf(print)) {
    const sign = token.kind === 'sign' ? token.text : '';
    if (OPENING.has(sign)) depth++;
    if (CLOSING.has(sign)) depth--;
    if (sign === ',' && depth === 0) args.push([]);
    else args.at(-1)!.push(token);
  }
  const [format = [], ...others] = args;
  return { format: format.map(({ text }) => text).join(''), args: others };
}

/** The field whose value an argument is, perhaps cast: `(void *)REC->ip`. */
function fieldOf(tokens: readonly Token[], fields: EventFormat['fields']): EventField | undefined {
  const at = tokens.findIndex(({ text }, i) => text === 'REC' && tokens[i + 1]?.text === '->');
  return at < 0 || at + 3 !== tokens.length ? undefined : fields[tokens[at + 2]!.text];
}

/** The offsets of the fields of an event that it prints as symbols: they hold addresses of text. */
export function symbolFields({ fields, print }: Pick<EventFormat, 'fields' | 'print'>): readonly number[] {
  const offsets: number[] = [];
  try {
    const { format, args } = partsOf(print);
    let next = 0;
    for (const { groups } of format.matchAll(CONVERSION)) {
      const { width, precision, kind } = groups!;
      if (kind === undefined) continue;
      next += Number(width === '*') + Number(precision === '*');
      const field = SYMBOL.test(kind) ? fieldOf(args[next] ?? [], fields) : undefined;
      if (field?.size === ADDRESS_BYTES) offsets.push(field.offset);
      next++;
    }
  } catch {
    // It has no print format that can be read.
  }
  return offsets;
}
