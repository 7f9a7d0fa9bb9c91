import type { Arithmetic, Immediate } from './assembler.js';
import { CodeBytes } from './code-bytes.js';
import type { Bits, Operand } from './operands.js';

/** Code in which each operation of two operands has a name of its own. */
export abstract class ArithmeticForms extends CodeBytes {
  abstract arithmetic(name: Arithmetic, to: Operand, from: Operand | Immediate, bits?: Bits): void;

  add(to: Operand, from: Operand | Immediate, bits: Bits = 64): void {
    this.arithmetic('add', to, from, bits);
  }

  sub(to: Operand, from: Operand | Immediate, bits: Bits = 64): void {
    this.arithmetic('sub', to, from, bits);
  }

  and(to: Operand, from: Operand | Immediate, bits: Bits = 64): void {
    this.arithmetic('and', to, from, bits);
  }

  or(to: Operand, from: Operand | Immediate, bits: Bits = 64): void {
    this.arithmetic('or', to, from, bits);
  }

  xor(to: Operand, from: Operand | Immediate, bits: Bits = 64): void {
    this.arithmetic('xor', to, from, bits);
  }

  cmp(first: Operand, second: Operand | Immediate, bits: Bits = 64): void {
    this.arithmetic('cmp', first, second, bits);
  }
}
