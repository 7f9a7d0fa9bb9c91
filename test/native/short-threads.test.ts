import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compile, noTracing } from '../../src/native/testing/programs.js';
import { Sandbox } from '../e2e/support/program.js';

/**
 * A program with the arguments: so many times, so many threads live at the same time, which call `hit` so often. It ends when the
 * last one has.
 */
const PROGRAM = `
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#define NO __attribute__((patchable_function_entry(0)))
__attribute__((noinline)) int hit(int x) { asm volatile(""); return x + 1; }
static int calls;
static pthread_barrier_t all;
NO static void *work(void *wait) {
  for (int i = 0; i < calls; i++) hit(i);
  if (wait) pthread_barrier_wait(&all);
  return 0;
}
NO int main(int count, char **words) {
  int rounds = atoi(words[1]), threads = atoi(words[2]);
  calls = atoi(words[3]);
  pthread_t ids[512];
  pthread_barrier_init(&all, 0, threads);
  pthread_attr_t small;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, 65536);
  for (int round = 0; round < rounds; round++) {
    for (int i = 0; i < threads; i++) if (pthread_create(&ids[i], &small, work, &all)) return 1;
    for (int i = 0; i < threads; i++) pthread_join(ids[i], 0);
  }
  return 0;
}`;

/** Runs with few and many threads: of many not all can have a cpu at once. */
const RUNS = [
  { what: '16 threads that were joined, and 16 more', tracer: 'function_graph', rounds: 2, threads: 16, calls: 1000 },
  { what: 'thousands of threads of one call each', tracer: 'function', rounds: 1000, threads: 4, calls: 1 },
  { what: 'more threads at once than there are cpus', tracer: 'function', rounds: 1, threads: 400, calls: 3, areMany: true },
] as const;

const number = (text: string | undefined): number => Number(text?.replaceAll(',', '') ?? Number.NaN);

describe('threads that live shortly', { skip: noTracing }, () => {
  for (const { what, tracer, rounds, threads, calls, ...run } of RUNS) {
    it(`are recorded: ${what}`, async (t) => {
      const sandbox = new Sandbox(t);
      const program = compile(t, PROGRAM, ['-pthread', '-fpatchable-function-entry=5']);
      const command = [program, rounds, threads, calls].map(String);
      const { code, stderr } = await sandbox.fentry('record', '--native', '-p', tracer, '-l', 'hit', '--', ...command);
      assert.equal(code, 0, stderr);
      const [, events, lost] = /([\d,]+) events, ([\d,]+) lost/.exec(stderr) ?? [];
      const all = rounds * threads * calls;
      const perCall = tracer === 'function' ? 1 : 2;
      assert.equal(number(events) / perCall + number(lost), all, stderr);
      if (!('areMany' in run)) assert.equal(number(lost), 0);
      const { stdout } = await sandbox.fentry('report');
      const lines = stdout.split('\n').filter((line) => line.includes('hit'));
      assert.equal(lines.length, number(events) / perCall);
      // Each has its thread's name, also that of a thread which nobody has seen.
      assert.deepEqual(
        lines.filter((line) => !/^ *program-\d+ /.test(line)),
        [],
      );
    });
  }
});
