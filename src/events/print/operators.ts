import { type Expression, INT, type IntegerType, integerOf, wrap } from './values.js';

type Compute = (a: bigint, b: bigint) => bigint | boolean;

interface Operator {
  readonly rank: number;
  readonly compute: Compute;
  /** Shifts have the left side's type; comparisons are int, of operands that are brought to one type. */
  readonly kind?: 'shift' | 'comparison';
}

const orZero =
  (compute: (a: bigint, b: bigint) => bigint): Compute =>
  (a, b) =>
    b === 0n ? 0n : compute(a, b);

/** C's operators of two sides but `&&` and `||`; those of a higher rank bind closer. */
export const OPERATORS: Readonly<Record<string, Operator>> = {
  '|': { rank: 3, compute: (a, b) => a | b },
  '^': { rank: 4, compute: (a, b) => a ^ b },
  '&': { rank: 5, compute: (a, b) => a & b },
  '==': { rank: 6, compute: (a, b) => a === b, kind: 'comparison' },
  '!=': { rank: 6, compute: (a, b) => a !== b, kind: 'comparison' },
  '<': { rank: 7, compute: (a, b) => a < b, kind: 'comparison' },
  '>': { rank: 7, compute: (a, b) => a > b, kind: 'comparison' },
  '<=': { rank: 7, compute: (a, b) => a <= b, kind: 'comparison' },
  '>=': { rank: 7, compute: (a, b) => a >= b, kind: 'comparison' },
  '<<': { rank: 8, compute: (a, b) => a << (b & 63n), kind: 'shift' },
  '>>': { rank: 8, compute: (a, b) => a >> (b & 63n), kind: 'shift' },
  '+': { rank: 9, compute: (a, b) => a + b },
  '-': { rank: 9, compute: (a, b) => a - b },
  '*': { rank: 10, compute: (a, b) => a * b },
  '/': { rank: 10, compute: orZero((a, b) => a / b) },
  '%': { rank: 10, compute: orZero((a, b) => a % b) },
};
export const OR_RANK = 1;
export const AND_RANK = 2;

/** What is shorter than an int becomes one. */
export const promoted = (type: IntegerType): IntegerType => (type.bits < 32 ? INT : type);

function commonType(a: IntegerType, b: IntegerType): IntegerType {
  const [left, right] = [promoted(a), promoted(b)];
  if (left.bits !== right.bits) return left.bits > right.bits ? left : right;
  return { bits: left.bits, signed: left.signed && right.signed };
}

/** `left OPERATOR right`. */
export function binary({ compute, kind }: Operator, left: Expression, right: Expression): Expression {
  const common = commonType(left.type, right.type);
  const operand = kind === 'shift' ? promoted(left.type) : common;
  const shift = kind === 'shift' ? promoted(right.type) : common;
  return {
    type: kind === 'comparison' ? INT : operand,
    value(record) {
      const a = wrap(integerOf(left.value(record)), operand);
      const b = wrap(integerOf(right.value(record)), shift);
      const result = compute(BigInt(a), BigInt(b));
      return typeof result === 'boolean' ? Number(result) : wrap(result, operand);
    },
  };
}

const isTrue = (expression: Expression, record: Parameters<Expression['value']>[0]): boolean => {
  const value = expression.value(record);
  return typeof value === 'object' || (typeof value === 'string' ? true : value !== 0);
};

/** `left && right` or `left || right`. */
export const logical = (isAnd: boolean, left: Expression, right: Expression): Expression => ({
  type: INT,
  value: (record) => Number(isTrue(left, record) === isAnd ? isTrue(right, record) : !isAnd),
});

/** `condition ? yes : no`. */
export const conditional = (condition: Expression, yes: Expression, no: Expression): Expression => ({
  type: commonType(yes.type, no.type),
  value: (record) => (isTrue(condition, record) ? yes : no).value(record),
});

/** `SIGN operand`, undefined for what is no such sign. */
export function unary(sign: string, operand: Expression): Expression | undefined {
  const type = promoted(operand.type);
  const number = (record: Parameters<Expression['value']>[0]): bigint => BigInt(integerOf(operand.value(record)));
  if (sign === '!') return { type: INT, value: (record) => Number(!isTrue(operand, record)) };
  if (sign === '-') return { type, value: (record) => wrap(-number(record), type) };
  if (sign === '~') return { type, value: (record) => wrap(~number(record), type) };
  if (sign === '+') return { type, value: (record) => wrap(number(record), type) };
  return undefined;
}
