import type { PortableAssembler } from '../machine/assembler.js';
import { ARG3, SCRATCH0 } from '../machine/operands.js';
import { FUNCTION } from './arena.js';

/** A function's number in ARG3 becomes its address. SCRATCH0 is the arena. */
export function emitFunctionAddress(code: PortableAssembler, functionTable: number): void {
  code.shift('shl', ARG3, Math.log2(FUNCTION.BYTES));
  code.mov(ARG3, { base: SCRATCH0, index: ARG3, scale: 1, disp: functionTable + FUNCTION.IP });
}
