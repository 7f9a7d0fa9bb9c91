import assert from 'node:assert/strict';
import { test } from 'node:test';
import { finished, Sandbox, until } from './support/program.js';

/** Ends in the middle of a turn that takes so many milliseconds, in a function that is traced. */
const program = (milliseconds: number): string => `
function hot(n) {
  return n + 1;
}
function last(end) {
  for (let n = 0; Date.now() < end; ) n = hot(n);
  process.exit(0);
}
process.once('SIGUSR2', () => {
  console.log('busy');
  last(Date.now() + ${milliseconds});
});
setInterval(() => {}, 1000);
console.log('ready');
`;

test('a program that is interrupted as often as can be ends as ever, and Node waits for no debugger', async (t) => {
  const sandbox = new Sandbox(t);
  const ends = [40, 80, 120, 160, 200, 240, 280, 320].map(async (milliseconds) => {
    const child = await sandbox.start(program(milliseconds), {}, `ends${milliseconds}.cjs`);
    const files = sandbox.client(child.pid);
    // What tracing needs is loaded before the busy turn.
    for (const tracer of ['function', 'nop']) await files.write('current_tracer', tracer);
    let isBusy = false;
    child.stdout!.on('data', (text) => {
      isBusy ||= String(text).includes('busy');
    });
    const ended = finished(child);
    child.kill('SIGUSR2');
    await until(() => isBusy, 'it is busy');
    for (let i = 0; child.exitCode === null; i++) {
      await files.write('current_tracer', i % 2 === 0 ? 'function' : 'nop').catch(() => {});
    }
    const { code, stderr } = await ended;
    return [code, stderr];
  });
  for (const end of await Promise.all(ends)) assert.deepEqual(end, [0, '']);
});
