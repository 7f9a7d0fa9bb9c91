import { isAggregate, isFloat, plainType, sizeOf } from '../../dwarf/c-type.js';
import type { DebugEntry } from '../../dwarf/debug-entry.js';
import { AT, TAG } from '../../dwarf/names.js';
import { behind, IN_FLOAT_REGISTER, inRegister, isPassedByReference, onStack, WORD } from '../../dwarf/passing.js';
import { type Location, nowhere } from '../../dwarf/value.js';

/** By DWARF's numbers (System V ABI of x86-64, figure 3.36). */
export const REGISTERS: readonly string[] = [
  ...['ax', 'dx', 'cx', 'bx', 'si', 'di', 'bp', 'sp'],
  ...['r8', 'r9', 'r10', 'r11', 'r12', 'r13', 'r14', 'r15', 'ip'],
];
/** Registers of a function's first arguments (System V ABI of x86-64, section 3.2.3). */
export const ARGUMENT_REGISTERS: readonly string[] = ['di', 'si', 'dx', 'cx', 'r8', 'r9'];
const FLOAT_REGISTERS = 8;
/** Larger structures lie in memory. */
const MOST_IN_REGISTERS = 2 * WORD;

type WordClass = 'integer' | 'float';

/** What each 8 bytes of a value have; 'memory': it is too large for registers. */
function classesOf(type: DebugEntry | undefined): readonly WordClass[] | 'memory' {
  const plain = plainType(type);
  const size = sizeOf(plain);
  if (size > MOST_IN_REGISTERS || (isFloat(plain) && size > WORD)) return 'memory';
  const classes: WordClass[] = Array<WordClass>(Math.ceil(size / WORD)).fill('float');
  mark(plain, 0, classes);
  return classes;
}

/** Marks the words in which a value has something else than a number with a fraction. */
function mark(type: DebugEntry | undefined, offset: number, classes: WordClass[]): void {
  const plain = plainType(type);
  if (plain === undefined || isFloat(plain)) return;
  if (isAggregate(plain)) {
    for (const child of plain.children) {
      if (child.tag === TAG.member || child.tag === TAG.inheritance)
        mark(child.type, offset + (child.number(AT.memberLocation) ?? 0), classes);
    }
    return;
  }
  const size = sizeOf(plain);
  if (plain.tag === TAG.array) {
    const each = Math.max(1, sizeOf(plain.type));
    for (let at = 0; at < size; at += each) mark(plain.type, offset + at, classes);
    return;
  }
  for (let at = offset; at < offset + size; at++)
    if (Math.floor(at / WORD) < classes.length) classes[Math.floor(at / WORD)] = 'integer';
}

/** Where the parameters of a function are when it is called, in their order. */
export function argumentLocations(
  parameters: readonly (DebugEntry | undefined)[],
  result: DebugEntry | undefined,
): readonly Location[] {
  let integers = 0;
  let floats = 0;
  // Behind the return address.
  let stack = WORD;
  if (classesOf(result) === 'memory' || isPassedByReference(result)) integers++;
  const register = (at: number): Location => inRegister(ARGUMENT_REGISTERS[at]!);
  const nextOnStack = (size: number): Location => {
    const found = onStack(stack);
    stack += Math.max(WORD, Math.ceil(size / WORD) * WORD);
    return found;
  };
  return parameters.map((type): Location => {
    if (isPassedByReference(type)) {
      return behind(integers < ARGUMENT_REGISTERS.length ? register(integers++) : nextOnStack(WORD));
    }
    const classes = classesOf(type);
    if (classes === 'memory') return nextOnStack(sizeOf(type));
    const needed = classes.filter((one) => one === 'integer').length;
    const fits = integers + needed <= ARGUMENT_REGISTERS.length && floats + classes.length - needed <= FLOAT_REGISTERS;
    if (!fits) return nextOnStack(sizeOf(type));
    floats += classes.length - needed;
    const pieces = classes.map((one) => ({
      size: WORD,
      at: one === 'integer' ? register(integers++) : nowhere(IN_FLOAT_REGISTER),
    }));
    return pieces.length === 1 ? pieces[0]!.at : { kind: 'pieces', pieces };
  });
}
