import type { Arithmetic, Immediate } from './assembler.js';
import { CodeBytes } from './code-bytes.js';
import type { Bits, MachineOperand } from './operands.js';

/** Code in which each operation of two operands has a name of its own. */
export abstract class ArithmeticForms extends CodeBytes {
  abstract arithmetic(name: Arithmetic, to: MachineOperand, from: MachineOperand | Immediate, bits?: Bits): void;

  add(to: MachineOperand, from: MachineOperand | Immediate, bits: Bits = 64): void {
    this.arithmetic('add', to, from, bits);
  }

  sub(to: MachineOperand, from: MachineOperand | Immediate, bits: Bits = 64): void {
    this.arithmetic('sub', to, from, bits);
  }

  and(to: MachineOperand, from: MachineOperand | Immediate, bits: Bits = 64): void {
    this.arithmetic('and', to, from, bits);
  }

  or(to: MachineOperand, from: MachineOperand | Immediate, bits: Bits = 64): void {
    this.arithmetic('or', to, from, bits);
  }

  xor(to: MachineOperand, from: MachineOperand | Immediate, bits: Bits = 64): void {
    this.arithmetic('xor', to, from, bits);
  }

  cmp(first: MachineOperand, second: MachineOperand | Immediate, bits: Bits = 64): void {
    this.arithmetic('cmp', first, second, bits);
  }
}
