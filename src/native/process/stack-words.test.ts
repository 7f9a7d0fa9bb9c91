import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../../test/e2e/support/program.js';
import { compile, noTracing, start } from '../testing/programs.js';
import { ProcessMemory } from './process-memory.js';
import { StackWords } from './stack-words.js';
import { whileStopped } from './stop.js';

/** Tells which instruction a signal has interrupted, and waits in the signal's handler, on the thread's stack or on another. */
const INTERRUPTED = `
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>
#include <unistd.h>
#ifdef __aarch64__
#define PC pc
#else
#define PC gregs[REG_RIP]
#endif
static void handler(int number, siginfo_t *info, void *context) {
  printf("%lld\\n", (long long)((ucontext_t *)context)->uc_mcontext.PC);
  for (;;) pause();
}
int main(int count, char **arguments) {
  setbuf(stdout, 0);
  struct sigaction action = { .sa_sigaction = handler, .sa_flags = SA_SIGINFO | (count > 1 ? SA_ONSTACK : 0) };
  stack_t other = { .ss_sp = malloc(65536), .ss_size = 65536 };
  sigaltstack(&other, 0);
  sigaction(SIGALRM, &action, 0);
  alarm(1);
  for (volatile long i = 0;; i++);
}`;

for (const [stack, args] of [
  ['its stack', []],
  ['another stack', ['on']],
] as const) {
  test(`where a signal on ${stack} has interrupted a thread is among its words`, { skip: noTracing }, async (t) => {
    const program = start(t, compile(t, INTERRUPTED), args);
    await until(() => program.output().endsWith('\n'), 'the signal has come');
    const pc = Number(program.output());
    const memory = new ProcessMemory(program.pid);
    whileStopped(program.pid, ({ threads }) => {
      const words = new StackWords(memory, threads, { start: pc - 16, end: pc + 16 });
      assert.equal(words.hasBetween(pc - 1, pc + 1), true);
      assert.equal(words.hasBetween(pc, pc + 1), false);
    });
  });
}
