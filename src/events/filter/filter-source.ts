import { compileGlob } from '../../base/glob.js';
import {
  BigIntAsIntN as asIntN,
  BigIntAsUintN as asUintN,
  StringPrototypeEndsWith as endsWith,
  StringPrototypeIncludes as includes,
  StringPrototypeStartsWith as startsWith,
  BigInt_ as toBigInt,
} from '../../base/primordials.js';
import type { Long } from '../c-types.js';
import { INTEGER_TYPES, type IntegerTypeName, type Operand } from './operand.js';
import type { FilterProgram, Predicate, TextMatch } from './predicate.js';

// What the code of a filter calls. It runs in the threads of a program: nothing here uses a built-in that the program may have
// replaced, nothing throws, and only `packed` allocates.

/** Whether an integer of 64 bits has one of some bits set: `low` and `high` are those of a number, `bits` those of a bigint. */
export const hasBits = (value: unknown, low: number, high: number, bits: bigint): boolean => {
  if (typeof value === 'bigint') return (value & bits) !== 0n;
  const number = value as number;
  return ((number & low) | (((number - (number >>> 0)) / 4294967296) & high)) !== 0;
};

/** The integer that the bytes of an array of integers are. */
export function packed(values: unknown, elements: number, type: IntegerTypeName): Long {
  const { bits, signed } = INTEGER_TYPES[type];
  const array = values as ArrayLike<Long | undefined>;
  let sum = 0n;
  for (let i = 0; i * elements < bits; i++) sum |= asUintN(elements, toBigInt(array[i] ?? 0)) << toBigInt(i * elements);
  return signed ? asIntN(bits, sum) : sum;
}

export const hasFront = (value: unknown, text: string): boolean => typeof value === 'string' && startsWith(value, text);
export const hasEnd = (value: unknown, text: string): boolean => typeof value === 'string' && endsWith(value, text);
export const hasPart = (value: unknown, text: string): boolean => typeof value === 'string' && includes(value, text);
export const hasShape = (value: unknown, test: (text: string) => boolean): boolean => typeof value === 'string' && test(value);

type Integer = Extract<Predicate, { test: 'integer' }>;
type Text = Extract<Predicate, { test: 'text' }>;

/** What an expression needs from the function that it stands in. */
export interface FilterScope {
  /** The expression of an operand: a name, or what has no effect. It may occur several times. */
  operand(operand: Operand): string;
  /**
   * Keeps a value for the function, such as one of its closure's, and returns its name. The same value may come several times.
   */
  constant(value: unknown): string;
}

/**
 * The expression of a filter in JavaScript, true if the event passes it. It allocates nothing, unless it
 * takes an array for an integer, and never throws while the operands are what Operand says. What a user wrote gets into it as a
 * literal only.
 */
export function filterSource(program: FilterProgram, scope: FilterScope): string {
  return join(
    program.map(({ predicate, when, target }, at) => ({ at, when, target, source: predicateSource(predicate, scope) })),
  );
}

/** The steps from `at` up to the next part: where `source` is `when` they go on at `target`, else at the next part. */
interface Part {
  readonly at: number;
  readonly source: string;
  readonly when: boolean;
  readonly target: number;
}

const not = (source: string): string => `!(${source})`;

/**
 * Makes one expression of all steps. Two parts that follow each other, with no other going to the second one, are one if both go
 * to the same place, or the first goes to where the second ends.
 */
function join(parts: readonly Part[]): string {
  const uses = new Map<number, number>();
  const use = (target: number, by: number): void => {
    uses.set(target, (uses.get(target) ?? 0) + by);
  };
  for (const { target } of parts) use(target, 1);
  const joined: Part[] = [];
  for (const [i, part] of parts.entries()) {
    let second = part;
    const end = parts[i + 1]?.at ?? parts.length;
    for (let first = joined.at(-1); first !== undefined && (uses.get(second.at) ?? 0) === 0; first = joined.at(-1)) {
      if (first.target !== second.target && first.target !== end) break;
      const isAnd = (first.target === second.target) !== second.when;
      const leading = isAnd === first.when ? not(first.source) : first.source;
      use(first.target, -1);
      joined.pop();
      second = { ...second, at: first.at, source: `(${leading} ${isAnd ? '&&' : '||'} ${second.source})` };
    }
    joined.push(second);
  }
  const [{ source, when }] = joined as [Part];
  return when ? not(source) : source;
}

function predicateSource(predicate: Predicate, scope: FilterScope): string {
  if (predicate.test === 'constant') return String(predicate.value);
  const value = scope.operand(predicate.operand);
  return predicate.test === 'integer' ? integerSource(predicate, value, scope) : textSource(predicate, value, scope);
}

function integerSource(predicate: Integer, operand: string, { constant }: FilterScope): string {
  const { operator, type, elements } = predicate;
  const { bits } = INTEGER_TYPES[type];
  const value = elements === undefined ? operand : `${constant(packed)}(${operand}, ${elements}, ${JSON.stringify(type)})`;
  if (operator === '&') {
    const mask = BigInt.asUintN(bits, BigInt(predicate.value));
    const low = Number(BigInt.asIntN(32, mask));
    const high = Number(BigInt.asIntN(32, mask >> 32n));
    const isNumber = bits <= 32 && elements === undefined;
    return isNumber ? `(${value} & ${low}) !== 0` : `${constant(hasBits)}(${value}, ${low}, ${high}, ${mask}n)`;
  }
  const literal = typeof predicate.value === 'bigint' ? `${predicate.value}n` : String(predicate.value);
  if (operator === '==' || operator === '!=') {
    // Of 64 bits there are numbers and bigints, which are equal by value.
    return `${value} ${operator}${bits <= 32 && elements === undefined ? '=' : ''} ${literal}`;
  }
  if (type !== 'address') return `${value} ${operator} ${literal}`;
  // Addresses of the upper half are negative numbers, yet greater than those of the lower half.
  const isLess = operator.startsWith('<');
  const isUpper = predicate.value < 0;
  const half = isUpper === isLess ? `${value} ${isUpper ? '>=' : '<'} 0` : `${value} ${isUpper ? '<' : '>='} 0`;
  return `(${half} ${isUpper === isLess ? '||' : '&&'} ${value} ${operator} ${literal})`;
}

const HELPERS: Readonly<Record<Exclude<TextMatch, 'full'>, unknown>> = {
  front: hasFront,
  end: hasEnd,
  middle: hasPart,
  glob: hasShape,
};

function textSource({ match, text, not: isNot, isPointer }: Text, value: string, { constant }: FilterScope): string {
  const wanted = match === 'glob' ? constant(compileGlob(text).test) : JSON.stringify(text);
  if (match === 'full' && !isPointer) return `${value} ${isNot ? '!==' : '==='} ${wanted}`;
  const source = match === 'full' ? `${value} === ${wanted}` : `${constant(HELPERS[match])}(${value}, ${wanted})`;
  if (!isNot) return source;
  return isPointer ? `(typeof ${value} === "string" && ${not(source)})` : not(source);
}
