import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { ARM64_PLATFORM, withoutArm64 } from '../code/testing/arm64-platform.js';
import { openElf, wordAt } from '../elf/elf-file.js';
import { UNWIND_ABIS } from '../machines/unwind-abis.js';
import { compile } from '../testing/programs.js';
import { CodeObject } from './code-object.js';
import { unwindStack } from './unwind-stack.js';

/**
 * Calls itself, raises a signal, and is interrupted once more in the handler of that; then it prints its registers and its stack:
 * x0 to x30, the stack pointer, the program counter, and all from the stack pointer on.
 */
const PROGRAM = `
#define _GNU_SOURCE
#include <signal.h>
#include <stdlib.h>
#include <ucontext.h>
#include <unistd.h>
#define FUNCTION __attribute__((noinline))
static char *top;
static void dumps(int number, siginfo_t *info, void *context) {
  unsigned long *words = (unsigned long *)((ucontext_t *)context)->uc_mcontext.regs;
  _exit(write(1, words, 33 * 8) < 0 || write(1, (char *)words[31], top - (char *)words[31]) < 0);
}
FUNCTION void stops(void) { __builtin_trap(); }
FUNCTION void handler(int number) { stops(); asm volatile(""); }
FUNCTION int raises(void) { raise(SIGUSR1); asm volatile(""); return 1; }
FUNCTION int deep(int n) {
  volatile char room[64];
  room[0] = n;
  int result = n == 0 ? raises() : deep(n - 1) + 1;
  asm volatile("" :: "m"(room[0]));
  return result;
}
int main(void) {
  volatile char here[4096];
  stack_t other = { .ss_sp = malloc(65536), .ss_size = 65536 };
  struct sigaction trap = { .sa_sigaction = dumps, .sa_flags = SA_SIGINFO | SA_ONSTACK };
  top = (char *)here + 4096;
  sigaltstack(&other, 0);
  sigaction(SIGTRAP, &trap, 0);
  sigaction(SIGILL, &trap, 0);
  signal(SIGUSR1, handler);
  return deep(2);
}`;
const [SP, PC, WORDS] = [31, 32, 33];
const abi = UNWIND_ABIS.arm64;

for (const flags of [['-fomit-frame-pointer'], ['-mbranch-protection=standard']]) {
  test(`a stack of arm64 is unwound through the frame of a signal, ${flags}`, { skip: withoutArm64 }, (t) => {
    const file = compile(t, PROGRAM, ['-O2', '-static', '-Wno-stringop-overread', ...flags], ARM64_PLATFORM.c);
    const [command = file, ...args] = [...ARM64_PLATFORM.run, file];
    const output = execFileSync(command, args, { maxBuffer: 2 ** 24 });
    const words = Array.from({ length: WORDS }, (_, i) => wordAt(output, 8 * i));
    const stack = output.subarray(WORDS * 8);
    const elf = openElf(file);
    const object = new CodeObject(file, elf);
    const text = elf.section('.text')!;
    const isText = (address: number): boolean => address >= text.address && address < text.address + text.size;
    const { frames } = unwindStack(
      abi,
      {
        row: (address) => object.row(address),
        // What a handler returns to is the emulator's, or the system's.
        isCode: (address) => address > 0,
        isStub: (address) => object.isStub(address),
        code: (address) => (isText(address) ? elf.at(address, 8)! : abi.signalReturn),
        word: (address) => wordAt(stack, address - words[SP]!),
      },
      { pc: words[PC]!, registers: words.slice(0, PC) },
    );
    const names = frames.map(({ at }) => (isText(at) ? object.nameAt(at) : 'the system'));
    const main = names.indexOf('main');
    assert.deepEqual(names.slice(0, 3), ['stops', 'handler', 'the system']);
    assert.deepEqual(names.slice(main - 5, main + 1), ['raise', 'raises', 'deep', 'deep', 'deep', 'main']);
    assert.equal(frames[3]!.by, 'signal');
    assert.ok(frames.slice(4).every(({ by }) => by === 'table'));
  });
}
