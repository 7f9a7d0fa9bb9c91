import type { NativeMachine } from '../machines/elf-abis.js';

/** What unwinding must know of a machine and its system. Registers have DWARF's numbers. */
export interface UnwindAbi {
  readonly machine: NativeMachine;
  readonly stackPointer: number;
  readonly framePointer: number;
  /** What has the return address of a function that calls no other one; absent: it is on the stack, as of every function. */
  readonly linkRegister?: number;
  /** Addresses have no more bits: those above may be a signature. */
  readonly addressBits: number;
  /** The registers that a call does not change, besides the stack pointer. */
  readonly kept: readonly number[];
  /** The general registers of a thread, as ptrace(2) gives them: how many words, and in which of them each register is. */
  readonly words: number;
  readonly wordOf: readonly number[];
  readonly pcWord: number;
  /** The number of the system call ptrace. */
  readonly ptrace: number;
  /** The code that a signal handler returns to, which asks the system to go on with what was interrupted. */
  readonly signalReturn: Uint8Array;
  /** Bytes from the stack pointer, at that code, to the word of the first register, in the system's order (wordOf). */
  readonly signalWord: (word: number) => number | undefined;
  /** The first instructions of a function with a frame pointer: at each, the words on the stack before the return address. */
  readonly prologue: readonly { readonly code: Uint8Array; readonly pushed: number }[];
}
