import { countOf, isAggregate, isArray, isComplex, isFloat, plainType, sizeOf } from '../../dwarf/c-type.js';
import type { DebugEntry } from '../../dwarf/debug-entry.js';
import { TAG } from '../../dwarf/names.js';
import { behind, IN_FLOAT_REGISTER, inRegister, isPassedByReference, onStack, WORD } from '../../dwarf/passing.js';
import { type Location, nowhere } from '../../dwarf/value.js';

const names = (count: number): string[] => Array.from({ length: count }, (_, n) => `x${n}`);

/** By DWARF's numbers (DWARF for the Arm 64-bit Architecture, section 4.1). */
export const REGISTERS: readonly string[] = [...names(31), 'sp'];
/** Registers of a function's first arguments (Procedure Call Standard for the Arm 64-bit Architecture, section 6.8). */
export const ARGUMENT_REGISTERS: readonly string[] = names(8);
const FLOAT_REGISTERS = 8;
/**
 * A copy of a larger structure is passed by its address; one of as many numbers with a fraction, all alike, in registers for
 * these.
 */
const MOST_IN_REGISTERS = 2 * WORD;
const MOST_FLOATS = 4;
/** An element says what all are like. */
const MOST_ELEMENTS = MOST_FLOATS + 1;

/** What a value is made of: types without parts. */
function leaves(type: DebugEntry | undefined): readonly DebugEntry[] {
  const plain = plainType(type);
  if (plain === undefined) return [];
  if (isArray(plain))
    return Array.from({ length: Math.min(countOf(plain) ?? 0, MOST_ELEMENTS) }, () => leaves(plain.type)).flat();
  if (!isAggregate(plain)) return [plain];
  return plain.children.flatMap(({ tag, type: of }) => (tag === TAG.member || tag === TAG.inheritance ? leaves(of) : []));
}

/** How many registers for floating point a value takes; 0: it is not passed in these. */
function floatsOf(type: DebugEntry | undefined): number {
  const all = leaves(type);
  const [first] = all;
  if (first === undefined || !all.every((one) => isFloat(one))) return 0;
  const partOf = (one: DebugEntry): number => sizeOf(one) / (isComplex(one) ? 2 : 1);
  if (all.some((one) => partOf(one) !== partOf(first))) return 0;
  // The members of a union share theirs.
  const count = sizeOf(type) / partOf(first);
  return count <= MOST_FLOATS ? count : 0;
}

/** Values of 16 bytes begin at a multiple of that. */
const isWide = (type: DebugEntry | undefined): boolean =>
  leaves(type).some((one) => sizeOf(one) / (isComplex(one) ? 2 : 1) === 2 * WORD);

export function argumentLocations(parameters: readonly (DebugEntry | undefined)[]): readonly Location[] {
  let [integers, floats, stack] = [0, 0, 0];
  const nextOnStack = (size: number, wide = false): Location => {
    if (wide) stack = Math.ceil(stack / (2 * WORD)) * 2 * WORD;
    const found = onStack(stack);
    stack += Math.max(WORD, Math.ceil(size / WORD) * WORD);
    return found;
  };
  const next = (): Location => inRegister(ARGUMENT_REGISTERS[integers++]!);
  return parameters.map((type): Location => {
    const size = sizeOf(type);
    const needed = floatsOf(type);
    const byReference = isPassedByReference(type);
    if (needed > 0 && !byReference) {
      if (floats + needed <= FLOAT_REGISTERS) {
        floats += needed;
        return nowhere(IN_FLOAT_REGISTER);
      }
      floats = FLOAT_REGISTERS;
      return nextOnStack(size, isWide(type));
    }
    if (byReference || size > MOST_IN_REGISTERS) {
      return behind(integers < ARGUMENT_REGISTERS.length ? next() : nextOnStack(WORD));
    }
    if (isWide(type)) integers += integers % 2;
    const words = Math.max(1, Math.ceil(size / WORD));
    if (integers + words > ARGUMENT_REGISTERS.length) {
      integers = ARGUMENT_REGISTERS.length;
      return nextOnStack(size, isWide(type));
    }
    if (words === 1) return next();
    return { kind: 'pieces', pieces: Array.from({ length: words }, () => ({ size: WORD, at: next() })) };
  });
}
