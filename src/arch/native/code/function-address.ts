import type { Assembler } from '../machine/assembler.js';
import { R10, RCX } from '../machine/operands.js';
import { FUNCTION } from './arena.js';

/** A function's number in rcx becomes its address. r10 is the arena. */
export function emitFunctionAddress(code: Assembler, functionTable: number): void {
  code.shift('shl', RCX, Math.log2(FUNCTION.BYTES));
  code.mov(RCX, { base: R10, index: RCX, scale: 1, disp: functionTable + FUNCTION.IP });
}
