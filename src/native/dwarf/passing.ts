import { isPointer, plainType } from './c-type.js';
import type { DebugEntry } from './debug-entry.js';
import { AT } from './names.js';
import { type Location, wordFrom } from './value.js';

/** What is the same on all machines of how functions get their parameters. */

export const WORD = 8;
/** DW_CC_pass_by_reference */
const BY_REFERENCE = 4;

export const IN_FLOAT_REGISTER = 'is passed in a register for floating point, which a probe cannot fetch';

/** Whether a type of C++ is passed, and returned, by an address. */
export const isPassedByReference = (type: DebugEntry | undefined): boolean => {
  const plain = plainType(type);
  return plain?.number(AT.callingConvention) === BY_REFERENCE && !isPointer(plain);
};

export const inRegister = (name: string): Location => ({
  kind: 'value',
  value: { fetch: { kind: 'register', name }, addend: 0 },
  byte: 0,
});

/** So many bytes above the stack pointer. */
export const onStack = (offset: number): Location => ({
  kind: 'memory',
  address: { fetch: { kind: 'register', name: 'sp' }, addend: offset },
});

/** What a pointer leads to that is passed in a register or on the stack. */
export const behind = (pointer: Location): Location => {
  if (pointer.kind === 'value') return { kind: 'memory', address: pointer.value };
  return pointer.kind === 'memory' ? { kind: 'memory', address: wordFrom(pointer.address) } : pointer;
};
