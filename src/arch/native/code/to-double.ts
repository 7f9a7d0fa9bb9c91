import type { Assembler } from '../machine/assembler.js';
import { Label, RAX, RCX, RDX } from '../machine/operands.js';

const FRACTION_BITS = 52;
const BIAS = 1023;

/**
 * An integer below 2^53 in rax becomes the bits of the double with that value. rcx and rdx are lost. It is done with integers, so that the
 * program's floating-point registers need not be saved.
 */
export function emitToDouble(code: Assembler): void {
  const zero = new Label();
  code.bsr(RDX, RAX);
  code.jump('e', zero);
  code.movImmediate(RCX, FRACTION_BITS);
  code.sub(RCX, RDX, 32);
  code.shift('shl', RAX, 'cl');
  // The highest bit is not stored: left in place it adds 1 to the exponent.
  code.add(RDX, BIAS - 1, 32);
  code.shift('shl', RDX, FRACTION_BITS);
  code.add(RAX, RDX);
  code.bind(zero);
}

/** The reverse: the bits of a double, a whole number from 0 up to 2^53, in rax. rcx and rdx are lost. */
export function emitFromDouble(code: Assembler): void {
  const zero = new Label();
  code.test(RAX, RAX);
  code.jump('e', zero);
  code.mov(RDX, RAX);
  code.shift('shr', RDX, FRACTION_BITS);
  code.movImmediate(RCX, BIAS + FRACTION_BITS);
  code.sub(RCX, RDX, 32);
  code.shift('shl', RAX, 64 - FRACTION_BITS);
  code.shift('shr', RAX, 64 - FRACTION_BITS);
  code.movImmediate(RDX, 1);
  code.shift('shl', RDX, FRACTION_BITS);
  code.arithmetic('or', RAX, RDX);
  code.shift('shr', RAX, 'cl');
  code.bind(zero);
}
