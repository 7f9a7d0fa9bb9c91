import type { Bits, Label, MachineOperand, Memory, Register } from './operands.js';

/** The group of eight operations of two operands. */
export type Arithmetic = 'add' | 'or' | 'adc' | 'sbb' | 'and' | 'sub' | 'xor' | 'cmp';
/** `b`, `be`, `a`, `ae` compare without signs, `l`, `le`, `g`, `ge` with signs; `s`: the result is negative. */
export type Condition = 'o' | 'no' | 'b' | 'ae' | 'e' | 'ne' | 'be' | 'a' | 's' | 'ns' | 'l' | 'ge' | 'le' | 'g';
/** A value that is part of an instruction: 32 bits, with their sign. */
export type Immediate = number;
/** Where a call or jump goes: a label, or an address within reach. */
export type Target = Label | number;
/** System calls that the emitted code makes itself. */
export type SystemCall = 'gettid' | 'clock_gettime' | 'prctl' | 'process_vm_readv';

/** Bytes above the stack pointer. */
export interface ExitPlaces {
  /** Where the return address belongs, which lay there, or in a register, when the function was called. */
  readonly returnAddress: number;
  /** Where the register is that has what the function returned, if that is an integer or an address. */
  readonly result: number;
}

/**
 * What the code that is the same on all machines is written with: registers that are named by what C functions use them for, and
 * the operations of x86-64, of which the other machines have counterparts. Operands stand in the order of Intel's manuals: the
 * first one is changed. A value of 32 bits clears what is above it in a register. The flags are set by arithmetic and comparisons
 * alone; after `add` and `or`, only `e`, `ne`, `s` and `ns` may be asked. A change of memory cannot be torn by a signal of the
 * same thread; those whose names begin with `lock`, and `xchg`, not by other threads either, and nothing before or after them is
 * seen in another order.
 */
export interface PortableAssembler {
  /** Bytes so far. */
  readonly length: number;
  /** The address of the next byte. */
  readonly here: number;
  addressOf(label: Label): number;
  label(): Label;
  bind(label: Label): Label;
  aside(emit: () => void): Label;
  emitAsides(): void;
  append(bytes: Uint8Array): void;
  align(size: number): void;
  finish(): Uint8Array;

  mov(to: MachineOperand, from: MachineOperand | Immediate, bits?: Bits): void;
  movImmediate(to: Register, value: bigint | number): void;
  movzx(to: Register, from: MachineOperand, bits: 8 | 16): void;
  movsxd(to: Register, from: MachineOperand): void;
  fromDouble(to: Register, from: Memory): void;
  lea(to: Register, address: Memory): void;

  arithmetic(name: Arithmetic, to: MachineOperand, from: MachineOperand | Immediate, bits?: Bits): void;
  add(to: MachineOperand, from: MachineOperand | Immediate, bits?: Bits): void;
  sub(to: MachineOperand, from: MachineOperand | Immediate, bits?: Bits): void;
  and(to: MachineOperand, from: MachineOperand | Immediate, bits?: Bits): void;
  or(to: MachineOperand, from: MachineOperand | Immediate, bits?: Bits): void;
  xor(to: MachineOperand, from: MachineOperand | Immediate, bits?: Bits): void;
  cmp(first: MachineOperand, second: MachineOperand | Immediate, bits?: Bits): void;
  test(first: MachineOperand, second: Register | Immediate, bits?: Bits): void;
  unary(name: 'inc' | 'dec' | 'mul' | 'imul', operand: MachineOperand, bits?: Bits): void;
  shift(name: 'shl' | 'shr' | 'sar', operand: MachineOperand, count: number | 'cl', bits?: Bits): void;
  imul(to: Register, from: MachineOperand, bits?: 32 | 64): void;
  imulBy(to: Register, from: MachineOperand, factor: Immediate, bits?: 32 | 64): void;
  /** The number of the highest bit that is set; `e` if there is none. */
  bsr(to: Register, from: MachineOperand, bits?: 32 | 64): void;

  xchg(memory: MachineOperand, register: Register, bits?: Bits): void;
  lockCmpxchg(memory: Memory, register: Register, bits?: 32 | 64): void;
  lockXadd(memory: Memory, register: Register, bits?: 32 | 64): void;
  lockArithmetic(name: Exclude<Arithmetic, 'cmp'>, memory: Memory, from: Register | Immediate, bits?: Bits): void;
  /** Writes what others read to learn that all that was written before is there. */
  publish(memory: Memory, from: Register | 0, bits?: Bits): void;
  /** What is read from here on is not older than what was read before. */
  acquire(): void;

  /** Each takes as much room on the stack as the machine wants. */
  push(what: Register): void;
  pop(to: Register): void;
  call(target: Target | Register): void;
  jmp(target: Target | Register): void;
  jump(condition: Condition, target: Target): void;
  /** Goes to an address, however far away it is, with all registers but those of the linker's stubs. */
  jumpFar(address: number): void;
  /** Returns to where a `call` was made. */
  ret(): void;
  /** Returns from a function that was called as those of C are, with what VALUE has. */
  returnValue(): void;
  clc(): void;
  stc(): void;
  /** An instruction that there is not. */
  ud2(): void;

  /** See Machine. */
  readonly clockShift: number;
  /** VALUE becomes the value of the machine's counter, which all its processors share. ARG2 is lost. */
  counter(): void;
  /** An address that was read as a return address loses the signature that it may have. The flags are lost. */
  stripSignature(address: Register): void;
  threadPointer(to: Register): void;
  /** Memory at a distance from the thread pointer, of 32 bits. */
  threadWord(to: Register, distance: number): void;
  /**
   * A system call with the arguments in ARG0 and so on; VALUE becomes the result. ARG3 and SCRATCH1 are lost, of a call with more
   * than three arguments SCRATCH0 too.
   */
  systemCall(name: SystemCall): void;
  /** Copies ARG3 units of so many bits from ARG1 to ARG0. All three are lost, and VALUE. */
  copy(bits: 8 | 32): void;
  /**
   * Looks for a zero in ARG3 bytes, at least one, at ARG0, and leads ARG0 behind it; `e` if there is one. ARG3 and VALUE are
   * lost.
   */
  findZero(): void;

  /**
   * Begins what a thunk calls that has put two words on the stack: the function's number, and above it what the machine needs.
   * Keeps registers. Returns how many bytes the number is above the stack pointer from here on; the address in the thunk lies
   * below it.
   */
  enter(saved: readonly Register[]): number;
  /** Where `enter` has kept one of the registers, in bytes above the stack pointer. */
  keptAt(saved: readonly Register[], register: Register): number;
  /** Gives the registers back and returns to the thunk; the flags stay. */
  leave(saved: readonly Register[]): void;
  /** Begins what a thunk goes to when its function has returned. Keeps registers, that of the function's result among them. */
  enterExit(saved: readonly Register[]): ExitPlaces;
  /** Gives the registers back and goes to the return address. */
  leaveExit(saved: readonly Register[]): void;
}
