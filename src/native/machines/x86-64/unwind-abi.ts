import type { UnwindAbi } from '../../unwind/unwind-abi.js';

const WORD = 8;
/** In what the system writes on the stack of a signal handler: where its registers begin. */
const REGISTERS_AT = 40;
/**
 * The registers there (struct sigcontext), by the words of struct user_regs_struct: r8 to r15, rdi, rsi, rbp, rbx, rdx, rax, rcx,
 * rsp, rip.
 */
const SIGNAL_ORDER = [9, 8, 7, 6, 3, 2, 1, 0, 14, 13, 4, 5, 12, 10, 11, 19, 16];

/** Unwinding on x86-64, as the System V ABI and Linux have it. */
export const unwindAbi: UnwindAbi = {
  machine: 'x86-64',
  stackPointer: 7,
  framePointer: 6,
  addressBits: 47,
  // rbx, rbp, r12 to r15.
  kept: [3, 6, 12, 13, 14, 15],
  words: 27,
  // rax, rdx, rcx, rbx, rsi, rdi, rbp, rsp, r8 to r15.
  wordOf: [10, 12, 11, 5, 13, 14, 4, 19, 9, 8, 7, 6, 3, 2, 1, 0],
  pcWord: 16,
  ptrace: 101,
  // mov $15, %rax; syscall
  signalReturn: Uint8Array.of(0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0, 0x0f, 0x05),
  signalWord: (word) => {
    const at = SIGNAL_ORDER.indexOf(word);
    return at < 0 ? undefined : REGISTERS_AT + at * WORD;
  },
  // push %rbp; mov %rsp, %rbp
  prologue: [
    { code: Uint8Array.of(0x55, 0x48, 0x89, 0xe5), pushed: 0 },
    { code: Uint8Array.of(0x48, 0x89, 0xe5), pushed: 1 },
  ],
};
