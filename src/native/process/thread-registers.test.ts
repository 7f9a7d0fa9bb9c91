import assert from 'node:assert/strict';
import { it } from 'node:test';
import { until } from '../../../test/e2e/support/program.js';
import { LocalProcess } from '../addon/local-process.js';
import { compile, noTracing, start } from '../testing/programs.js';
import { whileStopped } from './stop.js';
import { threadState } from './tasks.js';
import { registersBy } from './thread-registers.js';

/** One thread runs, the other waits in `read`, each with numbers in its registers: those above 48 bits are as signatures are. */
const PROGRAM = `
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
static int ends[2];
static void *waits(void *none) {
  register long x0 asm("x0") = ends[0], x2 asm("x2") = 1, x8 asm("x8") = 63, x28 asm("x28") = 280, x30 asm("x30") = 0x12ab000000000005;
  register void *x1 asm("x1") = &none;
  asm volatile("svc 0" : "+r"(x0) : "r"(x1), "r"(x2), "r"(x8), "r"(x28), "r"(x30) : "memory");
  return 0;
}
int main(void) {
  pthread_t thread;
  if (pipe(ends)) return 1;
  pthread_create(&thread, 0, waits, 0);
  usleep(200000);
  puts("ready");
  fflush(stdout);
  register long x9 asm("x9") = 90, x19 asm("x19") = 190, x30 asm("x30") = 0xff00aabbccddeeff;
  for (;;) asm volatile("add x10, x10, 1" : : "r"(x9), "r"(x19), "r"(x30) : "x10");
}`;
const READ = 63;

const skip = process.arch !== 'arm64' ? 'registers are read on arm64 only' : noTracing;

it('registers of stopped threads are read, as often as that is asked for, and the threads stay stopped, and go on', {
  skip,
}, async (t) => {
  const { pid, output } = start(t, compile(t, PROGRAM, ['-O1', '-pthread']));
  await until(() => output() === 'ready\n', 'the threads have begun');
  const registersOf = registersBy(new LocalProcess())!;
  await until(() => whileStopped(pid, () => registersOf(pid)![19]) === 190, 'the first one has its numbers');
  for (let times = 0; times < 20; times++) {
    const tids = whileStopped(pid, ({ threads }) => {
      const [runs, waits] = threads.map(({ tid }) => registersOf(tid)!);
      assert.deepEqual([runs![9], runs![19], runs![30]], [90, 190, 0xaabbccddeeff]);
      assert.deepEqual([waits![8], waits![2], waits![28], waits![30]], [READ, 1, 280, 5]);
      assert.deepEqual(registersOf(threads[0]!.tid), runs);
      assert.deepEqual(
        threads.map(({ tid }) => threadState(pid, tid)),
        ['T', 'T'],
      );
      return threads.map(({ tid }) => tid);
    });
    await until(() => tids.map((tid) => threadState(pid, tid)).join('') === 'RS', 'the threads go on');
  }
  assert.equal(registersOf(2 ** 22), undefined);
});
