import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CLI, PRELOAD, Sandbox } from './support/program.js';

const PROGRAM = `
import { registerFtraceFunction, traceMarker, tracingIsOn } from '${PRELOAD}';
import { Worker } from 'node:worker_threads';
traceMarker('hello');
console.log(tracingIsOn(), await registerFtraceFunction({ func() {} }).catch((error) => error.errno));
new Worker('console.log("worker")', { eval: true });
`;

/** Flags under which Node says that it runs on another system. */
const on = (sandbox: Sandbox, system: string): readonly string[] => [
  '--import',
  sandbox.file('system.mjs', `Object.defineProperty(process, 'platform', { value: '${system}' });`),
];

for (const system of ['darwin', 'win32']) {
  test(`on ${system} a program with fentry runs untraced, and a word says so`, async (t) => {
    const sandbox = new Sandbox(t);
    const program = sandbox.file('program.mjs', PROGRAM);
    const { code, stdout, stderr } = await sandbox.run([...on(sandbox, system), '--import', PRELOAD, program]);
    assert.deepEqual(
      { code, stdout, stderr },
      {
        code: 0,
        stdout: 'false ENODEV\nworker\n',
        stderr: `fentry: nothing is traced: fentry works on Linux, and this is ${system}\n`,
      },
    );
  });
}

test('on another system the command says that it traces on Linux, and what works', async (t) => {
  const sandbox = new Sandbox(t);
  const { code, stderr } = await sandbox.run([...on(sandbox, 'darwin'), CLI, 'ps']);
  assert.equal(code, 1);
  assert.match(stderr, /^fentry ps: fentry traces on Linux only, and this is darwin; what works here: report, .*dump, /);
  assert.equal((await sandbox.run([...on(sandbox, 'darwin'), CLI, 'start', '--help'])).code, 0);
  const env = await sandbox.run([...on(sandbox, 'darwin'), CLI, 'env', process.execPath, '-p', '"ran"']);
  assert.equal(env.stdout, 'ran\n');
});
