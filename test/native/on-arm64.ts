import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import type { TraceClient } from '../../src/client/trace-client.js';
import { processMaps } from '../../src/native/process/process-maps.js';
import { ProcessMemory } from '../../src/native/process/process-memory.js';
import { until } from '../e2e/support/program.js';
import { ARM64_FORMS } from './arm64-forms.js';
import { attach, isAsInFile, ready, recorded } from './native-machine.js';

/**
 * What an emulated machine runs for arm64.test.ts: both tracers, live, on programs of each form, whose output must be what it is
 * untraced.
 */

const PROGRAM = `
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <pthread.h>
#include <stdexcept>
#include <sys/time.h>
#define KEPT extern "C" __attribute__((noipa))
static jmp_buf back;
static volatile sig_atomic_t ticks;
KEPT long leaf(long n) { return n + 1; }
KEPT long middle(long n) {
  long first = leaf(n);
  return first + leaf(n + 1);
}
KEPT double mixed(int a, double b, long double c, const char *d) { return a + b + (double)c + strlen(d); }
KEPT void on_tick(int) { ticks = ticks + leaf(0); }
KEPT int throwing(int n) {
  if (n == 0) throw std::runtime_error("deep");
  try { return throwing(n - 1) + 1; } catch (std::runtime_error &) { throw; }
}
KEPT void jumping(int n) { if (n == 0) longjmp(back, 7); jumping(n - 1); puts("never"); }
KEPT int waiting(int n) {
  if (n == 0) return getchar() == '\\n' ? 0 : 1000;
  int inside = waiting(n - 1);
  __asm__ volatile("");
  return inside + 1;
}
static void *worker(void *) { long sum = 0; for (long i = 0; i < 1000; i++) sum += middle(i); return (void *)sum; }
static void threads() {
  pthread_t all[4]; void *one; long sum = 0;
  for (auto &thread : all) pthread_create(&thread, 0, worker, 0);
  for (auto thread : all) { pthread_join(thread, &one); sum += (long)one; }
  printf("threads %ld\\n", sum);
}
static volatile int spins;
static void *spinner(void *) { while (spins) middle(7); return 0; }
static void spin() {
  static pthread_t all[4];
  spins = !spins;
  for (auto &thread : all) if (spins) pthread_create(&thread, 0, spinner, 0); else pthread_join(thread, 0);
  puts(spins ? "spinning" : "still");
}
static void changes() {
  int caught = 0, jumped = 0;
  try { throwing(20); } catch (std::runtime_error &error) { caught = strlen(error.what()); }
  if (setjmp(back) == 0) jumping(10); else jumped = 1;
  signal(SIGALRM, on_tick);
  ticks = 0;
  itimerval often = {{0, 2000}, {0, 2000}}, never = {};
  setitimer(ITIMER_REAL, &often, 0);
  long sum = 0;
  while (ticks < 20) sum = middle(20);
  setitimer(ITIMER_REAL, &never, 0);
  printf("changes %d %d %ld %g\\n", caught, jumped, sum, mixed(1, 2.5, 3.25L, "four"));
}
int main() {
  setbuf(stdout, 0);
  puts("ready");
  for (char line[16]; fgets(line, sizeof line, stdin);) {
    if (*line == 't') threads();
    if (*line == 'c') changes();
    if (*line == 's') spin();
    if (*line == 'm') printf("middle %ld\\n", middle(1));
    if (*line == 'w') { puts("waits"); printf("waiting %d\\n", waiting(30)); }
  }
}`;
const CALLS = 4 * 3 * 1000;
const [THREADS, CHANGES, MIDDLE] = ['threads 4008000', 'changes 4 1 43 10.75', 'middle 5'];
/** The calls of `waiting` that are open when it waits. */
const WAITING = 31;
const FUNCTIONS = 'leaf middle mixed throwing jumping waiting on_tick';

/**
 * How many words on the stack of a program that waits in a system call are addresses of executable memory that is no file's,
 * signed or not.
 */
function wordsOfCode(pid: number): number {
  const maps = processMaps(pid);
  const sp = Number(readFileSync(`/proc/${pid}/syscall`, 'utf8').split(' ').at(-2));
  const { end } = maps.find((range) => sp >= range.start && sp < range.end)!;
  const code = maps.filter(({ permissions, path }) => permissions[2] === 'x' && !/^(\/(?!memfd:)|\[)/.test(path));
  const memory = new ProcessMemory(pid);
  const words = new BigUint64Array(memory.read(sp, end - sp).slice().buffer);
  memory.close();
  const addresses = [...words].map((word) => Number(BigInt.asUintN(48, word)));
  return addresses.filter((one) => code.some((range) => one >= range.start && one < range.end)).length;
}

/** How often the probes of `middle` and `leaf` were hit, in the order in which they were defined. */
const hits = async (files: TraceClient): Promise<readonly number[]> =>
  [...(await files.read('kprobe_profile')).matchAll(/^ {2}(?:in|inside|out) +(\d+) +0$/gm)].map(([, count]) => Number(count));

describe('native programs on arm64', { concurrency: 2 }, () => {
  for (const [form, options] of Object.entries<readonly string[]>(ARM64_FORMS)) {
    it(form, async (t) => {
      const isNamed = options.includes('-g');
      const program = await ready(t, PROGRAM, ['-x', 'c++', ...options], 'g++');
      assert.ok(isAsInFile(program.pid));
      const { files, ask, sandbox, pid } = await attach(t, program);
      const answers = async (): Promise<void> => {
        assert.deepEqual([await ask('t'), await ask('c'), await ask('m')], [THREADS, CHANGES, MIDDLE]);
      };
      await files.write('set_ftrace_filter', FUNCTIONS);

      await files.write('current_tracer', 'function');
      assert.equal(await ask('t'), THREADS);
      await until(async () => (await recorded(files)) >= CALLS, 'all calls are counted');
      assert.equal(await recorded(files), CALLS);
      assert.match(await files.read('trace'), /: leaf <-middle$/m);
      await answers();

      await files.write('options/func-args', '1');
      await files.write('trace', '');
      assert.equal(await ask('m'), MIDDLE);
      // Where a function has called `_mcount` its arguments are elsewhere.
      const args = options.includes('-pg') ? '' : isNamed ? '\\(n=2\\)' : '\\(0x2, .*\\)';
      assert.match(await files.read('trace'), new RegExp(`: leaf${args} <-middle$`, 'm'));
      await files.write('options/func-args', '0');

      await files.write('current_tracer', 'nop');
      const inside = form === 'no sites' ? 'leaf+4' : 'leaf+12';
      const probes = [
        ...['p:in middle n=%x0:s64', `p:inside ${inside}`, 'r:out middle sum=$retval:s64'],
        ...(isNamed ? ['p:mixed mixed a text=d', 'p:local middle:2 first n'] : ['p:mixed mixed a=$arg1:s32 text=+0(%x1):string']),
      ];
      await files.append('kprobe_events', `${probes.join('\n')}\n`);
      assert.equal(await ask('s'), 'spinning');
      await files.write('events/kprobes/enable', '1');
      const areHit = async (): Promise<boolean> => (await hits(files)).filter((count) => count > 100).length === 3;
      await until(areHit, 'the threads run into the probes');
      await files.write('events/kprobes/enable', '0');
      assert.equal(await ask('s'), 'still');
      const before = await hits(files);
      await files.write('events/kprobes/enable', '1');
      assert.equal(await ask('t'), THREADS);
      const more = (await hits(files)).map((count, i) => count - before[i]!);
      assert.deepEqual(more, [CALLS / 3, (CALLS / 3) * 2, CALLS / 3]);
      await files.write('trace', '');
      assert.equal(await ask('m'), MIDDLE);
      const shown = (await files.read('trace')).replaceAll(/\+0x[\da-f]+\/0x[\da-f]+/g, '+PLACE');
      assert.deepEqual(shown.match(/(?<=: )(in|inside|local|out): .*/g), [
        ...['in: (middle+PLACE) n=1', 'inside: (leaf+PLACE)'],
        ...(isNamed ? ['local: (middle+PLACE) first=2 n=1'] : []),
        ...['inside: (leaf+PLACE)', 'out: (main+PLACE <- middle) sum=5'],
      ]);
      await files.write('events/kprobes/in/filter', 'n == 999');
      await answers();
      assert.match(await files.read('trace'), /: mixed: .* a=1 text="four"\n/);
      assert.equal((await files.read('trace')).match(/: in: .* n=999\n/g)?.length, 4);
      await files.write('events/kprobes/enable', '0');
      await files.write('kprobe_events', '');

      await files.write('current_tracer', 'function_graph');
      assert.equal(await ask('m'), MIDDLE);
      const shape = (await files.read('trace'))
        .split('\n')
        .slice(4)
        .map((line) => line.replace(/^.*\| {2}/, ''));
      assert.deepEqual(shape, ['middle() {', '  leaf();', '  leaf();', '}', '']);
      await files.write('options/funcgraph-args', '1');
      await files.write('trace', '');
      assert.equal(await ask('m'), MIDDLE);
      const called = options.includes('-pg') ? '' : isNamed ? 'n=1' : '0x1, .*';
      assert.match(await files.read('trace'), new RegExp(`middle\\(${called}\\) {`));
      await files.write('options/funcgraph-args', '0');
      await answers();
      assert.equal(await ask('w'), 'waits');
      await until(async () => (await files.read('trace')).includes('waiting'), 'the calls are open');
      const open = wordsOfCode(pid);
      assert.ok(open >= WAITING, `${open} return addresses lead to fentry's code`);
      const { stdout, stderr } = await sandbox.fentry('detach', String(pid));
      assert.equal(stdout, `detached from process ${pid}\n`, stderr);
      assert.ok(isAsInFile(pid), 'the text is that of the file');
      // A signature is only the process's to make.
      const isSigned = options.includes('-mbranch-protection=standard');
      if (!isSigned) assert.ok(wordsOfCode(pid) <= open - WAITING, 'open calls have their return addresses back');
      assert.equal(await ask(''), 'waiting 30');
      await answers();
    });
  }
});
