import type { PortableAssembler } from '../machine/assembler.js';
import { ARG2, ARG3, Label, VALUE } from '../machine/operands.js';

const FRACTION_BITS = 52;
const BIAS = 1023;

/**
 * An integer below 2^53 in VALUE becomes the bits of the double with that value. ARG3 and ARG2 are lost. It is done with
 * integers, so that the program's floating-point registers need not be saved.
 */
export function emitToDouble(code: PortableAssembler): void {
  const zero = new Label();
  code.bsr(ARG2, VALUE);
  code.jump('e', zero);
  code.movImmediate(ARG3, FRACTION_BITS);
  code.sub(ARG3, ARG2, 32);
  code.shift('shl', VALUE, 'cl');
  // The highest bit is not stored: left in place it adds 1 to the exponent.
  code.add(ARG2, BIAS - 1, 32);
  code.shift('shl', ARG2, FRACTION_BITS);
  code.add(VALUE, ARG2);
  code.bind(zero);
}

/** The reverse: the bits of a double, a whole number from 0 up to 2^53, in VALUE. ARG3 and ARG2 are lost. */
export function emitFromDouble(code: PortableAssembler): void {
  const zero = new Label();
  code.test(VALUE, VALUE);
  code.jump('e', zero);
  code.mov(ARG2, VALUE);
  code.shift('shr', ARG2, FRACTION_BITS);
  code.movImmediate(ARG3, BIAS + FRACTION_BITS);
  code.sub(ARG3, ARG2, 32);
  code.shift('shl', VALUE, 64 - FRACTION_BITS);
  code.shift('shr', VALUE, 64 - FRACTION_BITS);
  code.movImmediate(ARG2, 1);
  code.shift('shl', ARG2, FRACTION_BITS);
  code.arithmetic('or', VALUE, ARG2);
  code.shift('shr', VALUE, 'cl');
  code.bind(zero);
}
