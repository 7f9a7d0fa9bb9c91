import type { RegisterParameter } from '../base/register-parameter.js';

/**
 * What fentry appends to the record of a call of machine code in place of rendered arguments: a count with this bit, zeros up to
 * a whole word, and so many registers of 64 bits.
 */
export const REGISTER_ARGUMENTS = 0x80;
/** How many registers there are: those of a function's first integers and pointers. */
export const ARGUMENT_REGISTERS = 6;

/** The parameters of a function of machine code; undefined: they are not known. */
export type RegisterParameters = () => readonly RegisterParameter[] | undefined;

/** A register's value as that of a parameter, as the kernel prints it since 6.15. */
export function parameterText(value: bigint, { bits, shown }: Pick<RegisterParameter, 'bits' | 'shown'>): string {
  if (shown === 'signed') return String(BigInt.asIntN(bits, value));
  const own = BigInt.asUintN(bits, value);
  return shown === 'unsigned' ? String(own) : `0x${own.toString(16)}`;
}
