/** What instructions work on: registers, memory, places in the code. */

/** A general register, by a number: that of x86-64's encoding. Other assemblers have a register of their own for each. */
export type Register = { readonly register: number };

const register = (number: number): Register => ({ register: number });

/** What functions of C take, in its order. `shift` counts by ARG3. */
export const ARG0 = register(7);
export const ARG1 = register(6);
export const ARG2 = register(2);
export const ARG3 = register(1);
export const ARG4 = register(8);
export const ARG5 = register(9);
/**
 * What the emitted functions return to each other, `counter` and `systemCall` give, and `unary` multiplies; ARG2 gets the upper
 * half. Not everywhere what functions of C return.
 */
export const VALUE = register(0);
/** What functions may change, and no argument. */
export const SCRATCH0 = register(10);
export const SCRATCH1 = register(11);
/** What functions keep. */
export const KEPT0 = register(3);
export const KEPT1 = register(12);
export const KEPT2 = register(13);
export const KEPT3 = register(14);
export const KEPT4 = register(15);
/** The stack pointer, and the frame pointer, which functions keep too. */
export const SP = register(4);
export const FP = register(5);

/** A place in the code that is being assembled: bound once, used before or after. */
export class Label {
  /** Bytes from the code's start; undefined: not bound yet. */
  offset: number | undefined;
}

/** Memory: base + index * scale + disp; or what lies at a label; `fs`: from the thread pointer. */
export interface Memory {
  readonly base?: Register;
  readonly index?: Register;
  readonly scale?: 1 | 2 | 4 | 8;
  readonly disp: number;
  readonly fs?: true;
  readonly label?: Label;
}

/** Memory at a register, plus a displacement of 32 bits. */
export const mem = (base: Register, disp = 0): Memory => ({ base, disp });

/** Memory with a scaled index, which may be any register but SP. */
export const indexed = (base: Register, index: Register, scale: 1 | 2 | 4 | 8 = 1, disp = 0): Memory => ({
  base,
  index,
  scale,
  disp,
});

/** Memory at a displacement from the thread pointer. */
export const fs = (disp: number): Memory => ({ disp, fs: true });

/** Memory in the code itself. */
export const at = (label: Label): Memory => ({ label, disp: 0 });

export type MachineOperand = Register | Memory;

export const isRegister = (operand: unknown): operand is Register =>
  typeof operand === 'object' && operand !== null && 'register' in operand;

/** Operand sizes in bits. */
export type Bits = 8 | 16 | 32 | 64;
