import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PRELOAD, Sandbox } from './support/program.js';

const TRACED = { FENTRY: 'ftrace=function' };
const PERMISSION = process.allowedNodeEnvironmentFlags.has('--permission') ? '--permission' : '--experimental-permission';

test('a program whose workers end as fast as they begin is as well traced as any', async (t) => {
  const sandbox = new Sandbox(t);
  const program = sandbox.file(
    'workers.cjs',
    `const { Worker, isMainThread } = require('node:worker_threads');
    function down(n) { return n === 0 ? 0 : down(n - 1); }
    down(9);
    let left = 60;
    const next = () => { if (left-- > 0) new Worker(__filename).on('exit', next); };
    if (isMainThread) for (let i = 0; i < 6; i++) next();`,
  );
  const { code, signal, stderr } = await sandbox.run(['--import', PRELOAD, program], TRACED);
  assert.deepEqual({ code, signal, stderr }, { code: 0, signal: null, stderr: '' });
});

test('a program that may have no thread says that nothing is traced, when that was asked for', async (t) => {
  const sandbox = new Sandbox(t);
  const program = sandbox.file('alone.cjs', 'console.log(1)');
  const flags = [PERMISSION, '--allow-fs-read=*', '--no-warnings', '--import', PRELOAD, program];
  const asked = await sandbox.run(flags, TRACED);
  assert.deepEqual([asked.code, asked.stdout], [0, '1\n']);
  assert.match(asked.stderr, /^fentry: nothing is traced: [^\n]+\n$/);
  assert.equal((await sandbox.run(flags)).stderr, '');
});
