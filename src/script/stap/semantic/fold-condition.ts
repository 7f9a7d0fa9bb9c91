import type { StapExpression } from '../syntax-tree.js';

/**
 * Whether a condition holds, if that is known when the script is compiled: what it would not reach is not looked at, so that a
 * script can ask for variables which only some points have.
 * @returns undefined: only the run knows
 */
export function foldCondition(expression: StapExpression, isDefined: (of: StapExpression) => boolean): boolean | undefined {
  const value = fold(expression, isDefined);
  return value === undefined ? undefined : value !== 0n;
}

function fold(expression: StapExpression, isDefined: (of: StapExpression) => boolean): bigint | undefined {
  switch (expression.kind) {
    case 'long':
      return expression.value;
    case 'defined':
      return isDefined(expression.of) ? 1n : 0n;
    case 'unary': {
      const of = expression.operator === '!' ? fold(expression.of, isDefined) : undefined;
      return of === undefined ? undefined : of === 0n ? 1n : 0n;
    }
    case 'binary': {
      const { operator } = expression;
      if (operator !== '&&' && operator !== '||') return undefined;
      const left = fold(expression.left, isDefined);
      const decides = operator === '&&' ? 0n : 1n;
      if (left !== undefined && (left !== 0n) === (decides !== 0n)) return decides;
      const right = fold(expression.right, isDefined);
      if (right !== undefined && (right !== 0n) === (decides !== 0n) && left !== undefined) return decides;
      return left === undefined ? undefined : right === undefined ? undefined : right === 0n ? 0n : 1n;
    }
    default:
      return undefined;
  }
}
