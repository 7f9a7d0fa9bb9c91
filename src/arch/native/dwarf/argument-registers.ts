import { isAggregate, isFloat, isPointer, plainType, sizeOf } from './c-type.js';
import type { DebugEntry } from './debug-entry.js';
import { AT, TAG } from './names.js';
import { type Location, nowhere, wordFrom } from './value.js';

/** Registers of a function's first arguments (System V ABI of x86-64, section 3.2.3). */
const REGISTERS = ['di', 'si', 'dx', 'cx', 'r8', 'r9'];
const FLOAT_REGISTERS = 8;
const WORD = 8;
/** Larger structures lie in memory. */
const MOST_IN_REGISTERS = 2 * WORD;
/** DW_CC_pass_by_reference */
const BY_REFERENCE = 4;

type MemoryLocation = Extract<Location, { kind: 'memory' }>;
const IN_FLOAT_REGISTER = 'is passed in a register for floating point, which a probe cannot fetch';

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

const isPassedByReference = (type: DebugEntry | undefined): boolean => {
  const plain = plainType(type);
  return plain?.number(AT.callingConvention) === BY_REFERENCE && !isPointer(plain);
};

/** Where the parameters of a function are when it is called, in their order. */
export function argumentLocations(
  parameters: readonly (DebugEntry | undefined)[],
  result: DebugEntry | undefined,
): readonly Location[] {
  const register = (at: number): Location => ({
    kind: 'value',
    value: { fetch: { kind: 'register', name: REGISTERS[at]! }, addend: 0 },
    byte: 0,
  });
  let integers = 0;
  let floats = 0;
  // Behind the return address.
  let stack = WORD;
  if (classesOf(result) === 'memory' || isPassedByReference(result)) integers++;
  const onStack = (size: number): Location => {
    const address = { fetch: { kind: 'register', name: 'sp' }, addend: stack } as const;
    stack += Math.max(WORD, Math.ceil(size / WORD) * WORD);
    return { kind: 'memory', address };
  };
  return parameters.map((type): Location => {
    if (isPassedByReference(type)) {
      const pointer = integers < REGISTERS.length ? register(integers++) : onStack(WORD);
      const address = pointer.kind === 'value' ? pointer.value : wordFrom((pointer as MemoryLocation).address);
      return { kind: 'memory', address };
    }
    const classes = classesOf(type);
    if (classes === 'memory') return onStack(sizeOf(type));
    const needed = classes.filter((one) => one === 'integer').length;
    const fits = integers + needed <= REGISTERS.length && floats + classes.length - needed <= FLOAT_REGISTERS;
    if (!fits) return onStack(sizeOf(type));
    floats += classes.length - needed;
    const pieces = classes.map((one) => ({
      size: WORD,
      at: one === 'integer' ? register(integers++) : nowhere(IN_FLOAT_REGISTER),
    }));
    return pieces.length === 1 ? pieces[0]!.at : { kind: 'pieces', pieces };
  });
}
