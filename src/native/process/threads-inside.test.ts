import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { until } from '../../../test/e2e/support/program.js';
import { LocalProcess } from '../addon/local-process.js';
import { compile, noTracing, start } from '../testing/programs.js';
import { ProcessMemory } from './process-memory.js';
import { whileStopped } from './stop.js';
import { threadName } from './tasks.js';
import { registersBy } from './thread-registers.js';
import { threadsInside } from './threads-inside.js';

/**
 * Threads that wait: in a call of `inside`; in `read` and `epoll_wait`, whose buffers have its address; with its address in a
 * variable.
 */
const WAITING = `
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <unistd.h>
static int ends[2];
__attribute__((noinline)) int inside(int fd) { char one; int got = read(fd, &one, 1); asm volatile("" ::: "memory"); return got + 1; }
static void fill(volatile uintptr_t *words, int count) { for (int i = 0; i < count; i++) words[i] = (uintptr_t)inside + 4; }
static void *calls(void *none) { prctl(PR_SET_NAME, "calls"); return (void *)(long)inside(ends[0]); }
static void *reads(void *none) {
  uintptr_t words[512];
  prctl(PR_SET_NAME, "reads");
  fill(words, 512);
  return (void *)read(ends[0], words, sizeof words);
}
static void *polls(void *none) {
  struct epoll_event events[1024];
  prctl(PR_SET_NAME, "polls");
  fill((void *)events, sizeof events / 8);
  return (void *)(long)epoll_wait(epoll_create1(0), events, 1024, -1);
}
static void *keeps(void *none) {
  volatile uintptr_t words[2];
  char one;
  prctl(PR_SET_NAME, "keeps");
  fill(words, 2);
  return (void *)(read(ends[0], &one, 1) + words[1]);
}
int main(void) {
  pthread_t thread;
  void *(*all[])(void *) = { calls, reads, polls, keeps };
  pipe(ends);
  setbuf(stdout, 0);
  for (int i = 0; i < 4; i++) pthread_create(&thread, 0, all[i], 0);
  usleep(200000);
  printf("ready %p\\n", (void *)inside);
  pause();
}`;

describe('threads of a stopped process', { skip: noTracing }, () => {
  it('are inside of code by a word on their stacks, unless it is in what they have given to the system call that they wait in', async (t) => {
    const program = start(t, compile(t, WAITING));
    await until(() => program.output().endsWith('\n'), 'the threads wait');
    const address = Number(/0x\w+/.exec(program.output())![0]);
    const memory = new ProcessMemory(program.pid);
    const registersOf = registersBy(new LocalProcess());
    const calls = { code: [{ start: address, end: address + 64 }], codeAreas: [], blocks: [] };
    const { inside, names } = whileStopped(program.pid, ({ threads }) => ({
      // The main thread has passed the address on.
      inside: threadsInside(memory, threads.slice(1), calls, (tid) => tid, registersOf).map(({ tid }) => tid),
      names: new Map(threads.map(({ tid }) => [tid, threadName(program.pid, tid)])),
    }));
    assert.deepEqual(inside.map((tid) => names.get(tid)).sort(), ['calls', 'keeps']);
  });
});
