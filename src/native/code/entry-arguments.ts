import { ARGUMENT_REGISTERS, REGISTER_ARGUMENTS } from '../../events/register-arguments.js';
import type { PortableAssembler } from '../machine/assembler.js';
import { ARG0, ARG1, ARG2, ARG3, ARG4, ARG5, mem, type Register, VALUE } from '../machine/operands.js';

const WORD = 8;
/** Registers of a function's first integers and pointers. */
const REGISTERS: readonly Register[] = [ARG0, ARG1, ARG2, ARG3, ARG4, ARG5];
/** What they take in a record: a word that says so, and their values. */
export const ARGUMENT_WORDS = 1 + (ARGUMENT_REGISTERS * WORD) / 4;

/**
 * Appends what registers had at a function's entry to a record at ARG4 (func-args, funcgraph-args). VALUE is lost.
 * @param at where the record's own fields end
 * @param flags bytes before the count
 * @param saved what `enter` has kept
 * @param base what has the stack pointer from there on
 */
export function emitEntryArguments(
  code: PortableAssembler,
  at: number,
  flags: number,
  saved: readonly Register[],
  base: Register,
): void {
  code.mov(mem(ARG4, at), (REGISTER_ARGUMENTS | ARGUMENT_REGISTERS) << (8 * flags), 32);
  for (const [i, register] of REGISTERS.entries()) {
    code.mov(VALUE, mem(base, code.keptAt(saved, register)));
    code.mov(mem(ARG4, at + 4 + i * WORD), VALUE);
  }
}
