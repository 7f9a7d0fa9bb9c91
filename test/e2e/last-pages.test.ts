import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { finished, Sandbox } from './support/program.js';

/** Ends a child as soon as it has done its work, as Vitest's pool of processes does. */
const runner = (end: string): string => `
const { fork } = require('node:child_process');
function work() {}
if (process.argv[2] === 'child') {
  process.on('message', () => {
    work();
    process.send('done');
  });
  process.send('ready');
} else {
  const child = fork(__filename, ['child']);
  child.on('message', (message) => {
    if (message === 'ready') child.send('go');
    else ${end};
  });
  child.on('exit', (code, signal) => console.log(code, signal));
}
`;

for (const [end, signal] of [
  ['child.kill()', 'SIGTERM'],
  ['process.kill(child.pid, 9)', 'SIGKILL'],
] as const) {
  test(`a process that another one ends by ${end} loses no event`, async (t) => {
    const sandbox = new Sandbox(t);
    const program = sandbox.file('runner.cjs', runner(end));
    const { stdout, stderr } = await sandbox.fentry('record', '-p', 'function', '-l', 'work', process.execPath, program);
    assert.equal(stdout, `null ${signal}\n`, stderr);
    assert.match((await sandbox.fentry('report')).stdout, /function: +work\b/);
  });
}

test('a process that ends itself by a signal loses no event, and runs nothing behind it', async (t) => {
  const sandbox = new Sandbox(t);
  const source = `function work() {} work(); process.kill(process.pid, 'SIGTERM'); console.log('ran on');`;
  const program = sandbox.file('itself.cjs', source);
  const { signal, stdout } = await sandbox.fentry('record', '-p', 'function', '-l', 'work', process.execPath, program);
  assert.deepEqual([signal, stdout], ['SIGTERM', '']);
  assert.match((await sandbox.fentry('report')).stdout, /function: +work\b/);
});

test('a command that fentry record passes a signal on to loses no event', async (t) => {
  const sandbox = new Sandbox(t);
  const source = `function work() {} setTimeout(() => { work(); console.log('done'); }, 10); setInterval(() => {}, 1000);`;
  const program = sandbox.file('server.cjs', source);
  const child = sandbox.spawnFentry('record', '-p', 'function', '-l', 'work', process.execPath, program);
  let out = '';
  child.stdout?.on('data', (chunk) => {
    out += chunk;
    child.kill('SIGTERM');
  });
  const { signal } = await finished(child);
  assert.deepEqual([out, signal], ['done\n', 'SIGTERM']);
  assert.match((await sandbox.fentry('report')).stdout, /function: +work\b/);
});

/** Does its work when its event loop turns, and says which process it is. */
const works = (before: string): string =>
  `function work() {} ${before} setTimeout(() => { work(); console.log(process.pid); }, 10); setInterval(() => {}, 1000);`;

for (const { name, before, signal, ends } of [
  { name: 'Ctrl-C', before: '', signal: 'SIGINT', ends: 'SIGINT' },
  { name: 'kill', before: '', signal: 'SIGTERM', ends: 'SIGTERM' },
  {
    name: 'kill while it is busy',
    before: `setTimeout(() => { for (;;); }, 20);`,
    signal: 'SIGHUP',
    ends: 'SIGHUP',
  },
  {
    name: 'a signal that it listens to',
    before: `process.on('SIGINT', () => { console.log('heard', process.listenerCount('SIGINT')); process.exit(7); });`,
    signal: 'SIGINT',
    ends: 7,
  },
] as const) {
  test(`a process that is ended by ${name} loses no event`, async (t) => {
    const sandbox = new Sandbox(t);
    const program = sandbox.file('server.cjs', works(before));
    const child = sandbox.spawnFentry('record', '-p', 'function', '-l', 'work', process.execPath, program);
    let out = '';
    child.stdout?.on('data', (chunk) => {
      out += chunk;
      // A shell's kill, which knows nothing of the recording.
      if (/^\d+\n$/.test(out)) spawnSync('sh', ['-c', `kill -${signal.slice(3)} ${out}`]);
    });
    const { code, signal: endedBy } = await finished(child);
    assert.equal(endedBy ?? code, ends);
    assert.match(out, ends === 7 ? /^\d+\nheard 1\n$/ : /^\d+\n$/);
    assert.match((await sandbox.fentry('report')).stdout, /function: +work\b/);
  });
}

for (const { name, body, ends } of [
  {
    name: 'hears a signal once and then ends in its own time is not ended by it',
    body: `process.once('SIGTERM', () => setTimeout(() => process.exit(7), 300));
      kill();`,
    ends: 7,
  },
  {
    name: 'cleans up at a signal and sends it to itself again is ended by it',
    body: `process.once('SIGTERM', () => setTimeout(kill, 20));
      setTimeout(kill, 500);`,
    ends: 'SIGTERM',
  },
  {
    name: 'has just stopped to listen is ended by the signal',
    body: `const listener = () => {};
      process.on('SIGTERM', listener);
      setTimeout(() => { process.off('SIGTERM', listener); kill(); }, 500);`,
    ends: 'SIGTERM',
  },
  {
    name: 'emits a signal itself has not heard one',
    body: `process.once('SIGTERM', () => kill());
      process.emit('SIGTERM');`,
    ends: 'SIGTERM',
  },
] as const) {
  test(`a program that ${name}`, async (t) => {
    const sandbox = new Sandbox(t);
    // Nobody asks for the last pages first, as nobody does before a signal from outside.
    const program = sandbox.file(
      'listens.cjs',
      `const { execFile } = require('node:child_process');
      const kill = () => void execFile('sh', ['-c', 'kill -TERM ' + process.pid]);
      function work() {}
      work();
      setInterval(() => {}, 1000);
      ${body}`,
    );
    const child = sandbox.spawnFentry('record', '-p', 'function', '-l', 'work', process.execPath, program);
    const { code, signal } = await finished(child);
    assert.equal(signal ?? code, ends);
    assert.match((await sandbox.fentry('report')).stdout, /function: +work\b/);
  });
}
