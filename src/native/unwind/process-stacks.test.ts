import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { until } from '../../../test/e2e/support/program.js';
import { LocalProcess } from '../addon/local-process.js';
import { threadIds, threadState } from '../process/tasks.js';
import { compile, noTracing, type RunningProgram, start } from '../testing/programs.js';
import { without } from '../testing/toolchain.js';
import { ProcessStacks, type ThreadStack } from './process-stacks.js';

/** One thread is in a signal handler, another in a callback of the C library, and one has a stack that grows as it is told. */
const PROGRAM = `
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#define FUNCTION __attribute__((noinline))
static volatile int held = 1;
static inline __attribute__((always_inline)) void spin(void) { while (held) asm volatile(""); }
FUNCTION void handles(void) { spin(); asm volatile(""); }
static void handler(int number) { handles(); asm volatile("" :: "r"(number)); }
FUNCTION int raises(volatile int *p) { raise(SIGUSR1); asm volatile(""); return *p; }
FUNCTION int deep(int n) {
  volatile char room[64];
  room[0] = n;
  int result = n == 0 ? raises(&(int){1}) : deep(n - 1) + 1;
  asm volatile("" :: "m"(room[0]));
  return result;
}
FUNCTION void grows(int n) { int room[n]; room[0] = n; pause(); asm volatile("" :: "m"(room[0])); }
static void *waits(void *n) { grows((int)(long)n); asm volatile(""); return 0; }
static int compares(const void *a, const void *b) { pause(); return *(char *)a - *(char *)b; }
static void *sorts(void *none) { char text[] = "ba"; qsort(text, 2, 1, compares); return 0; }
int main(void) {
  struct sigaction action = { .sa_handler = handler, .sa_flags = SA_ONSTACK };
  stack_t other = { .ss_sp = malloc(65536), .ss_size = 65536 };
  pthread_t thread;
  sigaltstack(&other, 0);
  sigaction(SIGUSR1, &action, 0);
  pthread_create(&thread, 0, waits, (void *)1000);
  pthread_create(&thread, 0, sorts, 0);
  puts("ready");
  fflush(stdout);
  return deep(3);
}`;
const OWN = ['handles', 'handler', 'raises', 'deep', 'main', 'grows', 'waits', 'compares', 'sorts'];
const STACKS = [
  ['handles', 'handler', 'raises', 'deep', 'deep', 'deep', 'deep', 'main'],
  ['grows', 'waits'],
  ['compares', 'sorts'],
];

async function running(t: Parameters<typeof start>[0], options: readonly string[]): Promise<RunningProgram> {
  const program = start(t, compile(t, PROGRAM, options));
  await until(() => program.output() === 'ready\n', 'the threads have begun');
  const states = (): string =>
    threadIds(program.pid)
      .map((tid) => threadState(program.pid, tid))
      .join('');
  await until(() => states() === 'RSS', 'one runs, and two wait');
  return program;
}

const namesOf = (stacks: ProcessStacks, { frames }: ThreadStack): readonly (string | undefined)[] =>
  frames.map(({ at }) => {
    const place = stacks.at(at);
    return place?.object.nameAt(place.address);
  });

/** The functions of the program on a stack; where it comes from is looked at apart. */
const ownOf = (names: readonly (string | undefined)[]): readonly (string | undefined)[] =>
  names.filter((name) => OWN.includes(name!));

test('the stacks of a program without frame pointers, that nobody has stopped', { skip: noTracing }, async (t) => {
  const { pid } = await running(t, ['-O2', '-fomit-frame-pointer', '-g']);
  const stacks = new ProcessStacks(pid, new LocalProcess());
  t.after(() => stacks.close());
  const tids = threadIds(pid);
  for (let times = 0; times < 3; times++) {
    const found = tids.map((tid) => stacks.of(tid) as ThreadStack);
    assert.deepEqual(
      found.map((stack) => ownOf(namesOf(stacks, stack))),
      STACKS,
    );
    assert.deepEqual(
      found.map(({ end }) => end),
      [undefined, undefined, undefined],
      'each has its outermost call',
    );
    assert.deepEqual(
      found[0]!.frames.map(({ by }) => by).filter((by) => by === 'signal'),
      ['signal'],
    );
    await until(() => tids.map((tid) => threadState(pid, tid)).join('') === 'RSS', 'they go on as before');
  }
  const place = stacks.at((stacks.of(pid) as ThreadStack).frames[0]!.at)!;
  const calls = place.object.callsAt(place.address).map(({ name, place: line }) => [name, line?.line]);
  assert.deepEqual(
    calls,
    [
      ['spin', 10],
      ['handles', 11],
    ],
    'what was inlined, and where it was called',
  );
  assert.equal(stacks.of(2 ** 22), 'it has ended');
});

test('the stacks of a program without tables, by frame pointers', { skip: noTracing }, async (t) => {
  const { pid } = await running(t, ['-O1', '-fno-omit-frame-pointer', '-fno-asynchronous-unwind-tables']);
  const stacks = new ProcessStacks(pid, new LocalProcess());
  t.after(() => stacks.close());
  const found = threadIds(pid).map((tid) => stacks.of(tid) as ThreadStack);
  // What has no frame of its own there hides its caller.
  assert.deepEqual(
    found.map((stack) => ownOf(namesOf(stacks, stack)).slice(-1)),
    [['main'], ['waits'], ['sorts']],
  );
  assert.ok(found[0]!.frames.some(({ by }) => by === 'frame pointer'));
});

test('gdb finds the same calls', { skip: noTracing || without('gdb') }, async (t) => {
  const { pid } = await running(t, ['-O2', '-fomit-frame-pointer', '-g']);
  const text = execFileSync('gdb', ['-nx', '-batch', '-p', String(pid), '-ex', 'thread apply all bt'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const found = text
    .split(/^Thread /m)
    .slice(1)
    .map((thread) => [...thread.matchAll(/^#\d+ +(?:0x[\da-f]+ in )?([\w.]+) \(/gm)]);
  assert.deepEqual(found.map((calls) => ownOf(calls.map(([, name]) => name))).reverse(), STACKS);
});
