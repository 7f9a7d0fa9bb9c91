import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { rowsOf } from '../support/profile-rows.js';
import { noTracing, traced } from './native-machine.js';

/**
 * For each line: sixteen threads call `middle` a thousand times, which calls `leaf` twice; `deep` calls itself 10,000 times; a
 * longjmp leaves `jumps`.
 */
const SIXTEEN = `
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#define FUNCTION __attribute__((noinline))
static jmp_buf back;
FUNCTION int leaf(int x) { asm volatile(""); return x + 1; }
FUNCTION int middle(int x) { asm volatile(""); return leaf(x) + leaf(x + 1); }
FUNCTION int deep(int n) { asm volatile(""); return n == 0 ? 0 : deep(n - 1) + 1; }
FUNCTION void jumps(void) { longjmp(back, 1); }
static void *worker(void *none) {
  for (int i = 0; i < 1000; i++) middle(i);
  return 0;
}
int main(void) {
  setbuf(stdout, 0);
  puts("ready");
  while (getchar() != EOF) {
    pthread_t threads[16];
    for (int i = 0; i < 16; i++) pthread_create(&threads[i], 0, worker, 0);
    for (int i = 0; i < 16; i++) pthread_join(threads[i], 0);
    if (setjmp(back) == 0) jumps();
    printf("%d\\n", deep(9999));
  }
}`;

/** For each line: `outer` calls `spins` and `sleeps`. */
const SLEEPER = `
#include <stdio.h>
#include <time.h>
#define FUNCTION __attribute__((noinline)) void
FUNCTION sleeps(void) { struct timespec time = {0, 50000000}; nanosleep(&time, 0); asm volatile(""); }
static long ran(void) { struct timespec now; clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now); return now.tv_sec * 1000000000 + now.tv_nsec; }
FUNCTION spins(void) { for (long start = ran(); ran() - start < 20000000;); }
FUNCTION outer(void) { spins(); sleeps(); asm volatile(""); }
int main(void) {
  setbuf(stdout, 0);
  puts("ready");
  while (getchar() != EOF) { outer(); puts("done"); }
}`;
const OPTIONS = ['-fpatchable-function-entry=5'];

/** The hits of all cpus together, by function. */
async function hits(files: {
  list(path: string): Promise<readonly { name: string }[]>;
  read(path: string): Promise<string>;
}): Promise<Record<string, number>> {
  const sums: Record<string, number> = {};
  for (const { name } of await files.list('trace_stat')) {
    for (const [one, row] of rowsOf(await files.read(`trace_stat/${name}`))) sums[one] = (sums[one] ?? 0) + row.hits;
  }
  return sums;
}

describe('the function profiler on native programs', { skip: noTracing }, () => {
  for (const [form, options] of Object.entries({
    'with sites': OPTIONS,
    'without sites': ['-O2'],
  })) {
    it(`counts each call of sixteen threads, also those that are too deep to be measured, and writes no event: ${form}`, async (t) => {
      const { files, ask } = await traced(t, SIXTEEN, options);
      await files.write('set_ftrace_filter', 'leaf middle deep jumps');
      await files.write('function_profile_enabled', '1');
      assert.equal(await ask(), '9999');
      const counted = { deep: 10_000, jumps: 1, leaf: 32_000, middle: 16_000 };
      const sorted = async () => Object.fromEntries(Object.entries(await hits(files)).sort());
      // Of a recursion at -O2 some calls are jumps.
      const { deep, ...others } = await sorted();
      const { deep: calls, ...rest } = counted;
      assert.deepEqual(others, rest);
      if (options[0] !== '-O2') assert.equal(deep, calls);
      assert.doesNotMatch(await files.read('trace'), /^[^#]/m);
      await files.write('function_profile_enabled', '0');
      assert.equal(await files.read('enabled_functions'), '');
      assert.equal(await ask(), '9999');
      assert.equal((await hits(files)).leaf, 32_000, 'the counts stay');
      assert.doesNotMatch(await files.read('trace'), /^[^#]/m);
      await files.write('function_profile_enabled', '1');
      assert.deepEqual(await hits(files), {}, 'and start at 0');
    });
  }

  it('leaves out the time of functions inside without graph-time, and of waits without sleep-time', async (t) => {
    const { files, ask } = await traced(t, SLEEPER, OPTIONS);
    const profile = async () => {
      await files.write('function_profile_enabled', '1');
      assert.equal(await ask(), 'done');
      await files.write('function_profile_enabled', '0');
      const rows = rowsOf(await files.read('trace_stat/function0'));
      return Object.fromEntries([...rows].map(([name, { time }]) => [name, time]));
    };
    await files.write('set_ftrace_filter', 'outer spins sleeps');
    const all = await profile();
    assert.ok(all.sleeps! >= 50_000, 'it slept for 50 ms');
    assert.ok(all.outer! >= all.sleeps! + all.spins!);
    await files.write('options/graph-time', '0');
    const own = await profile();
    assert.ok(own.outer! < own.spins! + own.sleeps! && own.sleeps! >= 50_000, 'outer itself does nothing');
    await files.write('options/graph-time', '1');
    await files.write('options/sleep-time', '0');
    const ran = await profile();
    assert.ok(ran.sleeps! < 50_000 && ran.spins! >= 20_000, 'what sleeps does not run');
    assert.ok(ran.outer! >= ran.sleeps! + ran.spins!);
  });

  it('works beside the function tracer, commands and return probes, but not beside function_graph', async (t) => {
    const { files, ask } = await traced(t, SIXTEEN, OPTIONS);
    await files.write('set_ftrace_filter', 'middle jumps');
    await files.write('kprobe_events', 'r:back middle');
    await files.write('events/kprobes/back/enable', '1');
    await files.write('current_tracer', 'function');
    await files.write('function_profile_enabled', '1');
    await ask();
    assert.deepEqual(await hits(files), { jumps: 1, middle: 16_000 });
    const trace = await files.read('trace');
    assert.match(trace, /: jumps <-main$/m);
    assert.match(trace, /: back: \(worker\+0x[\da-f]+\/0x[\da-f]+ <- middle\)/);
    await assert.rejects(files.write('current_tracer', 'function_graph'), { errno: 'EBUSY' });
    assert.equal(await files.read('current_tracer'), 'nop\n');
    await files.write('function_profile_enabled', '0');
    await files.write('current_tracer', 'function_graph');
    await assert.rejects(files.write('function_profile_enabled', '1'), { errno: 'EBUSY' });
  });
});
