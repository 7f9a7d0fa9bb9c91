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

/** Gives the program its control thread as `process.control`, and tells it of it, as a debugger could. */
const CATCH_CONTROL = `
  const threads = require('node:worker_threads');
  threads.Worker = class Worker extends threads.Worker {
    constructor(file, options) {
      super(file, options);
      if (options.name !== 'fentry') return;
      process.control = this;
      process.emit('control', this);
    }
  };
  require('node:module').syncBuiltinESMExports();`;

test('a program whose control thread was ended lives on, and says so if FENTRY is set', async (t) => {
  const sandbox = new Sandbox(t);
  const hook = sandbox.file('hook.cjs', CATCH_CONTROL);
  sandbox.file('late.cjs', 'exports.late = function late() { return 2; }');
  const program = sandbox.file(
    'bereft.cjs',
    `function work(n) { return n === 0 ? 0 : work(n - 1); }
    work(9);
    const busy = setInterval(work, 1, 9);
    if (process.control) begun(process.control);
    else process.once('control', begun);
    function begun(control) {
      control.once('online', () => control.terminate());
      control.once('exit', ended);
    }
    async function ended() {
      const { registerFtraceFunction } = await import(process.argv[2]);
      const refused = await registerFtraceFunction({ filter: 'work', func() {} }).catch(({ errno }) => errno);
      console.log(require('./late.cjs').late(), work(5), refused);
      clearInterval(busy);
    }`,
  );
  const args = ['--require', hook, '--import', PRELOAD, program, PRELOAD];
  const asked = await sandbox.run(args, TRACED);
  assert.deepEqual([asked.code, asked.stdout], [0, '2 0 ENODEV\n']);
  assert.equal(asked.stderr, 'fentry: nothing is traced any more: the control thread has ended: it was ended\n');
  const { code, stdout, stderr } = await sandbox.run(args);
  assert.deepEqual([code, stdout, stderr], [0, '2 0 ENODEV\n', '']);
});
