import { FIELD, type HistData, type HistField, type HistOperator, has, newField } from './hist-data.js';
import { refused } from './hist-errors.js';
import { expressionText } from './hist-field.js';
import { divide, toLong } from './long.js';
import { leftOf, rootOperator } from './operators.js';
import { createAtom, type ParseField } from './parse-field.js';
import { findVariable } from './variables.js';

/** Operators of an expression, counted while it is parsed. */
interface Count {
  operators: number;
}

const MAX_OPERATORS = 3;

/**
 * Parses an expression (parse_expr): names, numbers and references, joined by + - * / of which at most three, and `-(...)`.
 * @param flags what the field is for: KEY, VAR or 0
 * @param varName the name of the variable that the expression defines
 * @throws TraceError EINVAL, EDOM for a division by zero, ENOMEM for fields that are no numbers
 */
export const parseExpression = (data: HistData, text: string, flags: number, varName?: string): HistField =>
  expression({ data, text, flags, varName }, { operators: 0 });

function expression(wanted: ParseField, count: Count): HistField {
  const { data, text } = wanted;
  if (count.operators > MAX_OPERATORS) data.errors.refuse('TOO_MANY_SUBEXPR', text);
  const root = rootOperator(text);
  if (root === undefined) return createAtom(wanted);
  count.operators++;
  return root.operator === 'minus' ? negation(wanted, count) : operation(wanted, root.operator, root.at, count);
}

function negation({ data, text, flags, varName }: ParseField, count: Count): HistField {
  if (count.operators > MAX_OPERATORS) data.errors.refuse('TOO_MANY_SUBEXPR', text);
  const behind = text.slice(1);
  if (!behind.includes('(')) refused('EINVAL', `a minus needs parentheses: ${text}`);
  const inner = behind.slice(1);
  const end = inner.lastIndexOf(')');
  if (end < 0) refused('EINVAL', `no closing parenthesis: ${text}`);
  if (end < inner.length - 1) data.errors.refuse('UNARY_MINUS_SUBEXPR', inner);
  const operand = expression({ data, text: inner.slice(0, end), flags: 0, varName: undefined }, count);
  if (has(operand, FIELD.STRING)) data.errors.refuse('INVALID_STR_OPERAND', leftOf(inner.slice(0, end)));
  const result = newField(data, flags | FIELD.EXPR | timeFlags(operand), varName);
  result.operands = [operand];
  return finish(result, 'minus', operand);
}

const timeFlags = ({ flags }: HistField): number => flags & (FIELD.TIMESTAMP | FIELD.TIMESTAMP_USECS);

function finish(result: HistField, operator: HistOperator, like: HistField): HistField {
  result.operator = operator;
  result.size = like.size;
  result.isSigned = like.isSigned;
  result.type = like.type;
  result.name = expressionText(result);
  return result;
}

function operation({ data, text, flags, varName }: ParseField, operator: HistOperator, at: number, count: Count): HistField {
  const [leftText, rightText] = [text.slice(0, at), text.slice(at + 1)];
  if (leftText === '' || rightText === '') refused('EINVAL', `an operand is missing: ${text}`);
  const operand = (side: string): HistField => {
    const field = expression({ data, text: side, flags: 0, varName: undefined }, count);
    if (has(field, FIELD.STRING)) data.errors.refuse('INVALID_STR_OPERAND', leftOf(side));
    return field;
  };
  const left = operand(leftText);
  const right = operand(rightText);
  const leftVar = referredVariable(left);
  const rightVar = referredVariable(right);
  if (has(leftVar, FIELD.TIMESTAMP_USECS) !== has(rightVar, FIELD.TIMESTAMP_USECS)) data.errors.refuse('TIMESTAMP_MISMATCH');

  left.readOnce = true;
  right.readOnce = true;
  if (operator === '/' && has(rightVar, FIELD.CONST)) {
    if (rightVar.constant === 0n) data.errors.refuse('DIVISION_BY_ZERO', leftOf(rightText), 'EDOM');
    right.constant = rightVar.constant;
  }
  if (has(leftVar, FIELD.CONST) && has(rightVar, FIELD.CONST)) {
    const result = newField(data, flags | FIELD.CONST | timeFlags(left), varName);
    result.size = 8;
    result.type = 'u64';
    result.constant = FOLD[operator](leftVar.constant, rightVar.constant);
    result.name = expressionText(result);
    return result;
  }
  const result = newField(data, flags | FIELD.EXPR | timeFlags(left), varName);
  result.operands = [left, right];
  return finish(result, operator, left);
}

const FOLD: Readonly<Record<HistOperator, (a: bigint, b: bigint) => bigint>> = {
  '+': (a, b) => BigInt.asUintN(64, a + b),
  '-': (a, b) => BigInt.asUintN(64, a - b),
  '*': (a, b) => BigInt.asUintN(64, a * b),
  '/': (a, b) => BigInt.asUintN(64, BigInt(divide(toLong(a), toLong(b), true))),
  minus: (a) => BigInt.asUintN(64, -a),
};

/** The variable that an operand refers to, else the operand. */
const referredVariable = (field: HistField): HistField =>
  has(field, FIELD.VAR_REF | FIELD.ALIAS)
    ? (findVariable(field.owner, field.name!) ?? refused('EINVAL', `no variable ${field.name}`))
    : field;
