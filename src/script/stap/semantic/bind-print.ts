import type { Conversion, PrintFormat, ScriptExpression } from '../../program.js';
import { BadFormat, parsePrintFormat } from '../print-format.js';
import type { PrintExpression } from '../syntax-tree.js';
import { bindHistogram } from './bind-stats.js';
import type { BodyScope } from './body-scope.js';
import { buildAs, typeOf } from './bound.js';
import { placeOf, tokenOfExpression } from './expression-token.js';
import { refuse, type ScriptToken } from './semantic-error.js';
import type { CellType } from './type-cell.js';

/** A text as it is. */
export const PLAIN_TEXT: Conversion = { letter: 's', flags: '' };

const PLAIN_LONG: Conversion = { letter: 'd', flags: '' };

/** What a print prints. */
export interface BoundPrint {
  readonly token: ScriptToken;
  build(): { readonly format: PrintFormat; readonly args: readonly ScriptExpression[] };
}

/** @throws SemanticError for arguments that the format does not take */
export function bindPrint(expression: PrintExpression, scope: BodyScope): BoundPrint {
  const { withFormat, withDelimiter, withNewline, text, args } = expression;
  const token = tokenOfExpression(expression);
  if (withFormat) return bindFormatted(expression, scope, token);
  const histogram = args[0]?.kind === 'histogram' ? bindHistogram(args[0], scope) : undefined;
  const bound = histogram === undefined ? args.map((arg) => scope.bind(arg)) : [];
  const build = () => {
    if (histogram !== undefined) {
      const { global, keys, token: at } = histogram;
      const shown: ScriptExpression = { op: 'histogram text', id: global.id, keys: keys(), place: placeOf(at) };
      return { format: [PLAIN_TEXT], args: [shown] };
    }
    const format: (string | Conversion)[] = [];
    bound.forEach(({ cell }, i) => {
      if (i > 0 && withDelimiter) format.push(text?.value ?? '');
      format.push(typeOf(cell) === 'long' ? PLAIN_LONG : PLAIN_TEXT);
    });
    if (withNewline) format.push('\n');
    return { format, args: bound.map((one) => buildAs(one, typeOf(one.cell) === 'long' ? 'long' : 'string')) };
  };
  return { token, build };
}

function bindFormatted({ text, args }: PrintExpression, scope: BodyScope, token: ScriptToken): BoundPrint {
  const format = parsePrintFormat(text?.value ?? '');
  if (format instanceof BadFormat) return refuse('not here', [format.why], token);
  const wanted = format.flatMap((part): CellType[] => {
    if (typeof part === 'string') return [];
    const stars = [part.width, part.precision].filter((size) => size === '*').map((): CellType => 'long');
    return [...stars, part.letter === 's' ? 'string' : part.letter === 'm' || part.letter === 'M' ? 'value' : 'long'];
  });
  if (wanted.length !== args.length) refuse('format arguments', [], token);
  const bound = args.map((arg, i) => {
    const one = scope.bind(arg);
    const type = wanted[i]!;
    if (type !== 'value' && !one.cell.be(type, one.token)) refuse('type expected', [type, one.cell.known ?? ''], one.token);
    return one;
  });
  return { token, build: () => ({ format, args: bound.map((one, i) => buildAs(one, wanted[i]!)) }) };
}
