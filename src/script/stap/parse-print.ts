import { parseString } from './parse-literal.js';
import { BadFormat, parsePrintFormat } from './print-format.js';
import type {
  HistogramExpression,
  IndexExpression,
  PrintExpression,
  StapExpression,
  StapPlace,
  StringLiteral,
} from './syntax-tree.js';
import type { TokenCursor } from './token-cursor.js';

/** The printing functions; with an `s` before them they give the text. */
const SHAPES = {
  print: {},
  println: { withNewline: true },
  printd: { withDelimiter: true },
  printdln: { withDelimiter: true, withNewline: true },
  printf: { withFormat: true },
} as const;
interface Shape {
  readonly withNewline?: boolean;
  readonly withDelimiter?: boolean;
  readonly withFormat?: boolean;
}

export const PRINT_NAMES: ReadonlyMap<string, Shape> = new Map(
  Object.entries(SHAPES).flatMap(([name, shape]): [string, Shape][] => [
    [name, shape],
    [`s${name}`, shape],
  ]),
);

interface Arguments {
  expression(cursor: TokenCursor): StapExpression;
  /** `@hist_log(x)` or `@hist_log(x)[i]`, if it is next. */
  histogram(cursor: TokenCursor): HistogramExpression | IndexExpression | undefined;
}

/** Behind the name of a printing function. */
export function parsePrint(cursor: TokenCursor, name: string, place: StapPlace, parse: Arguments): PrintExpression {
  const { withFormat = false, withDelimiter = false, withNewline = false } = PRINT_NAMES.get(name)!;
  const isText = name.startsWith('s');
  cursor.expect('(');
  const print = { kind: 'print', name, isText, withFormat, withDelimiter, withNewline, place } as const;
  const histogram = withFormat || withDelimiter ? undefined : parse.histogram(cursor);
  if (histogram?.kind === 'histogram') {
    cursor.expect(')');
    return { ...print, args: [histogram] };
  }
  if (histogram === undefined && withNewline && !withDelimiter && cursor.takes(')')) return { ...print, args: [] };
  let text: StringLiteral | undefined;
  if (withFormat) {
    text = parseString(cursor);
    cursor.peek();
    const format = parsePrintFormat(text.value);
    if (format instanceof BadFormat) throw cursor.saw(format.why);
    if (cursor.expectOneOf(',', ')').text === ')') return { ...print, text, args: [] };
  } else if (withDelimiter) {
    text = parseString(cursor);
    cursor.expectOneOf(',', ')');
  }
  const args: StapExpression[] = histogram === undefined ? [] : [histogram];
  if (histogram !== undefined && cursor.expectOneOf(',', ')').text === ')') return { ...print, args };
  const least = withDelimiter ? 2 : 1;
  do args.push(parse.expression(cursor));
  while (cursor.expectOneOf(',', ')').text === ',' || args.length < least);
  return { ...print, ...(text !== undefined && { text }), args };
}
