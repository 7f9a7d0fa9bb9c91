import assert from 'node:assert/strict';
import { ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import process, { kill } from 'node:process';
import { test } from 'node:test';
import { signal } from './signal.js';
import { hear } from './testing/heard-events.js';

test('a signal to the process itself is generated and delivered to its handler', async () => {
  const { heard, stop } = hear(signal, ['signal_generate', 'signal_deliver']);
  const arrived = once(process, 'SIGHUP');
  function onHup(): void {}
  process.prependListener('SIGHUP', onHup);
  // A handler does not keep the process alive.
  const alive = setInterval(() => {}, 1e6);
  kill(process.pid, 'SIGHUP');
  process.kill(process.pid, 0);
  await arrived;
  clearInterval(alive);
  stop();
  process.removeListener('SIGHUP', onHup);
  assert.match(heard[0]!.text, new RegExp(`^sig=1 comm=\\S+ pid=${process.pid}$`));
  assert.equal(heard[1]!.name, 'signal_deliver');
  assert.equal(heard[1]!.values.sig, 1);
  assert.equal(heard[1]!.text, 'sig=1 sa_handler=onHup');
  assert.equal(heard.length, 2);
});

test('a signal to a child; everything is as before when it is off', async () => {
  const all = (): unknown => [
    Object.getOwnPropertyDescriptor(process, 'kill'),
    Object.getOwnPropertyDescriptor(process, 'emit'),
    Object.getOwnPropertyDescriptors(ChildProcess.prototype),
  ];
  const before = all();
  const { heard, stop } = hear(signal, ['signal_generate', 'signal_deliver']);
  const child = spawn('sleep', ['60']);
  await once(child, 'spawn');
  child.kill('SIGKILL');
  await once(child, 'close');
  child.kill();
  stop();
  assert.deepEqual(
    heard.map(({ text }) => text),
    [`sig=9 comm=sleep pid=${child.pid}`],
  );
  assert.deepEqual(all(), before);
  assert.throws(() => process.kill('x' as never), { code: 'ERR_INVALID_ARG_TYPE' });
});
