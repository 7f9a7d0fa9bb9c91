import type { UnwindAbi } from '../../unwind/unwind-abi.js';

const WORD = 8;
const GENERAL = 31;
/** In what the system writes on the stack of a signal handler: where its registers begin (x0 to x30, sp, pc). */
const REGISTERS_AT = 312;

/** Unwinding on arm64, as its ABI and Linux have it. */
export const unwindAbi: UnwindAbi = {
  machine: 'arm64',
  stackPointer: 31,
  framePointer: 29,
  linkRegister: 30,
  addressBits: 48,
  kept: [19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29],
  words: 34,
  wordOf: Array.from({ length: GENERAL + 1 }, (_, i) => i),
  pcWord: 32,
  ptrace: 117,
  // mov x8, #139; svc #0
  signalReturn: Uint8Array.of(0x68, 0x11, 0x80, 0xd2, 0x01, 0, 0, 0xd4),
  signalWord: (word) => REGISTERS_AT + word * WORD,
  prologue: [],
};
