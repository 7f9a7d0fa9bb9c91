import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import type { HittingThreadData } from './testing/hitting-thread.js';
import { drain, endScript, programOf, startScript } from './testing/script-run.js';

const FILE = new URL('testing/hitting-thread.js', import.meta.url);
const start = (workerData: HittingThreadData): Worker => new Worker(FILE, { workerData });

const SCRIPT = `global n, calls, by, array
probe kernel.function("f") { n++; calls <<< 1; by[pn()] <<< 2; array[tid() - tid(), "k"]++ }`;

test('five threads and 125,000 calls: exact, by aggregates and by globals under the lock', async () => {
  const writers = [1, 2, 3, 4, 5];
  // A machine with more to do than CPUs lets a holder of the lock wait long.
  const run = startScript(programOf('stap', SCRIPT, ['-D', 'MAXTRYLOCK=1000000']), [0, ...writers]);
  const { code, memory } = run;
  const workers = writers.map((writer) => start({ code, memory, writer, hits: 25_000, isEndless: false }));
  await Promise.all(workers.map((worker) => once(worker, 'exit')));
  endScript(run);
  assert.equal(run.err, '');
  assert.equal(
    run.control.globals(),
    'n=125000\ncalls @count=125000 @min=1 @max=1 @sum=125000 @avg=1\nby["kernel.function("f")"] @count=125000 @min=2 @max=2 @sum=250000 @avg=2\narray[0,"k"]=125000\n',
  );
  assert.deepEqual(run.control.counts().hits, [125_000]);
});

test('what a thread counted stays when it is terminated, and the next one with its number goes on', async () => {
  const run = startScript(programOf('stap', SCRIPT), [0]);
  const { code } = run;
  const memory = { ...run.memory, writers: [...run.memory.writers, run.control.addWriter(1)] };
  for (const isEndless of [true, false]) {
    const worker = start({ code, memory, writer: 1, hits: 1000, isEndless });
    await once(worker, 'message');
    await worker.terminate();
    run.control.freeLockOf(1);
  }
  assert.equal(run.control.addWriter(1), memory.writers[1]);
  endScript(run);
  assert.match(run.control.globals(), /^n=2000\ncalls @count=2000 /);
  assert.match(run.control.globals(), /by\[.*\] @count=2000 /);
});

test('a lock whose holder has died is freed, and until then hits are skipped', () => {
  const run = startScript(programOf('stap', SCRIPT, ['-D', 'MAXTRYLOCK=2', '-D', 'MAXSKIPPED=3']));
  const words = new Int32Array(run.memory.shared);
  words[1] = 8;
  run.thread.run(0);
  assert.equal(run.control.counts().skipped.lock, 1);
  run.control.freeLockOf(6);
  run.thread.run(0);
  assert.equal(run.control.counts().skipped.lock, 2, 'it was not its lock');
  run.control.freeLockOf(7);
  run.thread.run(0);
  assert.deepEqual(run.control.counts().hits, [1]);
  words[1] = 8;
  for (let i = 0; i < 5; i++) run.thread.run(0);
  assert.equal(run.control.status(), 'FAILED');
  run.control.freeLockOf(7);
  endScript(run);
  assert.match(run.err, /^ERROR: Skipped too many probes, check MAXSKIPPED/);
});

const WRAPPED = `global by%[8]
probe kernel.function("f") { by[$x] <<< $x }
probe timer.ms(1) { foreach (k in by) { if (@min(by[k]) != k || @max(by[k]) != k) error("torn"); seen++; print(@hist_log(by[k])) } println(seen) }`;

test('foreach over an aggregate that wraps goes over what it found, while a thread drops and makes its entries', async () => {
  const run = startScript(programOf('stap', WRAPPED, ['-D', 'MAXTRYLOCK=1000000']), [0, 1]);
  const { code, memory } = run;
  const worker = start({ code, memory, writer: 1, hits: Infinity, isEndless: false, keys: 64 });
  await once(worker, 'message');
  const timer = code.handlers.findIndex(({ point }) => point.kind === 'timer');
  for (let i = 0; i < 300; i++) {
    run.thread.run(timer);
    drain(run);
  }
  await worker.terminate();
  endScript(run);
  assert.equal(run.err, '');
});
