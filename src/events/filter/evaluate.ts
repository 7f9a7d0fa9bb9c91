import { compileGlob } from '../../base/glob.js';
import { INTEGER_TYPES, type Operand } from './operand.js';
import type { FilterProgram, Predicate } from './predicate.js';

type Integer = Extract<Predicate, { test: 'integer' }>;
type Text = Extract<Predicate, { test: 'text' }>;

/**
 * Whether an event passes a filter. It takes the program step by step, in microseconds: what filterSource() makes of a program is
 * tested against it.
 * @param read the value of an operand, as Operand says
 */
export function evaluate(program: FilterProgram, read: (operand: Operand) => unknown): boolean {
  let at = 0;
  while (at < program.length) {
    const { predicate, when, target } = program[at]!;
    at = isTrue(predicate, read) === when ? target : at + 1;
  }
  return at === program.length;
}

function isTrue(predicate: Predicate, read: (operand: Operand) => unknown): boolean {
  if (predicate.test === 'constant') return predicate.value;
  const value = read(predicate.operand);
  return predicate.test === 'integer' ? compare(predicate, value) : matches(predicate, value);
}

const COMPARE = {
  '==': (a: bigint, b: bigint) => a === b,
  '!=': (a: bigint, b: bigint) => a !== b,
  '<': (a: bigint, b: bigint) => a < b,
  '<=': (a: bigint, b: bigint) => a <= b,
  '>': (a: bigint, b: bigint) => a > b,
  '>=': (a: bigint, b: bigint) => a >= b,
  '&': (a: bigint, b: bigint) => (a & b) !== 0n,
} as const;

function compare({ type, operator, value, elements }: Integer, actual: unknown): boolean {
  const { bits, signed } = INTEGER_TYPES[type];
  const cast = (one: bigint): bigint => (signed ? BigInt.asIntN(bits, one) : BigInt.asUintN(bits, one));
  return COMPARE[operator](
    cast(elements === undefined ? BigInt(actual as number) : joined(actual, elements)),
    cast(BigInt(value)),
  );
}

/** The first element has the low bits. */
const joined = (values: unknown, bits: number): bigint =>
  (values as readonly number[]).reduceRight((sum, value) => (sum << BigInt(bits)) | BigInt.asUintN(bits, BigInt(value)), 0n);

const MATCH = {
  full: (text: string) => (value: string) => value === text,
  front: (text: string) => (value: string) => value.startsWith(text),
  end: (text: string) => (value: string) => value.endsWith(text),
  middle: (text: string) => (value: string) => value.includes(text),
  glob: (text: string) => compileGlob(text).test,
} as const;

function matches({ match, text, not, isPointer }: Text, value: unknown): boolean {
  if (typeof value !== 'string') return isPointer === true ? false : not;
  return MATCH[match](text)(value) !== not;
}
