import type { SourcePlace } from '../../program.js';
import type { StapExpression } from '../syntax-tree.js';
import type { ScriptToken } from './semantic-error.js';

/** The token of a name, for errors. */
export const identifier = (name: string, { place }: { readonly place: ScriptToken['place'] }): ScriptToken => ({
  token: `identifier '${name}'`,
  place,
});

/** The token of an operator, for errors. */
export const operator = (name: string, { place }: { readonly place: ScriptToken['place'] }): ScriptToken => ({
  token: `operator '${name}'`,
  place,
});

/** The place of a token, as the runtime names it in its errors. */
export const placeOf = ({ token, place }: ScriptToken): SourcePlace => ({
  file: place.file,
  line: place.line,
  column: place.column,
  token,
});

/** The first token of an expression, for errors. */
export function tokenOfExpression(expression: StapExpression): ScriptToken {
  switch (expression.kind) {
    case 'long':
      return { token: `number '${expression.value}'`, place: expression.place };
    case 'string':
      return { token: `string '${expression.value}'`, place: expression.place };
    case 'symbol':
    case 'call':
    case 'print':
      return identifier(expression.name, expression);
    case 'index':
      return identifier(expression.of.kind === 'symbol' ? expression.of.name : '@hist', expression);
    case 'target':
      return identifier(`$${expression.name}`, expression);
    case 'binary':
    case 'assign':
    case 'unary':
    case 'step':
      return operator(expression.operator, expression);
    case 'ternary':
      return operator('?', expression);
    case 'stat':
      return operator(`@${expression.extract}`, expression);
    default:
      return operator(`@${expression.kind}`, expression);
  }
}

/** The token with which an expression begins. */
export function firstTokenOf(expression: StapExpression): ScriptToken {
  if (expression.kind === 'assign' || (expression.kind === 'step' && expression.isPost)) return firstTokenOf(expression.target);
  if (expression.kind === 'binary') return firstTokenOf(expression.left);
  if (expression.kind === 'ternary') return firstTokenOf(expression.condition);
  return tokenOfExpression(expression);
}
