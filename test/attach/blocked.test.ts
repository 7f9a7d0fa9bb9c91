import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { LISTENING, Sandbox, until } from '../e2e/support/program.js';

const CALLS = 'function f(n) { return n + 1; }\nsetInterval(() => f(1), 5);\n';

/** Threads that do not come back to their event loop, but to JavaScript. */
const BUSY: readonly (readonly [what: string, busy: string])[] = [
  ['an endless loop', 'for (let s = 0; ; s = f(s) % 1000);'],
  ['a loop that only awaits microtasks', 'for (;;) { await null; f(1); }'],
];

/** Starts a program, and waits until it is about to run `busy`, which does not end. */
async function startBusy(sandbox: Sandbox, busy: string): Promise<number> {
  const { stdout, pid } = await sandbox.start(`${CALLS}setTimeout(async () => { console.log('busy'); ${busy} }, 50);`, LISTENING);
  await once(stdout!, 'data');
  return pid;
}

for (const [what, busy] of BUSY) {
  test(`the tracer is switched in ${what}`, async (t) => {
    const sandbox = new Sandbox(t);
    await startBusy(sandbox, busy);
    for (const tracer of ['function', 'function_graph', 'nop']) {
      const { code, stderr } = await sandbox.fentry('write', 'current_tracer', tracer);
      assert.deepEqual([code, stderr], [0, '']);
      if (tracer === 'nop') continue;
      await until(async () => /\bf\b/.test(await sandbox.read('trace')), `${tracer} traces f`);
    }
  });
}

test('the tracer is switched while the thread is in Atomics.wait', async (t) => {
  const sandbox = new Sandbox(t);
  await startBusy(sandbox, 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);');
  const { code, stderr } = await sandbox.fentry('write', 'current_tracer', 'function');
  assert.deepEqual([code, stderr], [0, '']);
  assert.match(await sandbox.read('enabled_functions'), /^f \(1\)/m);
});

test('a thread that waits for a child process is named with it, and obeys when that has ended', async (t) => {
  const sandbox = new Sandbox(t);
  const [begun, gate] = ['begun', 'gate'].map((name) => join(sandbox.folder, name)) as [string, string];
  const wait = `touch ${begun}; while ! test -e ${gate}; do sleep 0.1; done`;
  const pid = await startBusy(sandbox, `require('node:child_process').execSync(${JSON.stringify(wait)});`);
  await until(() => existsSync(begun), 'the child process runs');
  const { code, stderr } = await sandbox.fentry('write', 'current_tracer', 'function');
  assert.equal(code, 1);
  const said = new RegExp(
    `cpu 0 \\(thread ${pid}\\) waits for its child process \\d+ \\(/bin/sh -c .*\\): the change takes effect there .* \\(ETIMEDOUT\\)`,
  );
  assert.match(stderr, said);
  assert.equal(await sandbox.read('current_tracer'), 'function\n');
  const started = await sandbox.fentry('start', '-p', 'function');
  assert.equal(started.code, 0, 'start says so and goes on');
  assert.match(started.stderr, /^fentry: cpu 0 .* waits for its child process .*\n$/, 'in one line');
  sandbox.file('gate', '');
  await until(async () => /: f <-/.test(await sandbox.read('trace')), 'the tracer is on');
});
