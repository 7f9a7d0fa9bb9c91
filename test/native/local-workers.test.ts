import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { finished, Sandbox } from '../e2e/support/program.js';
import { noTracing, textRefusal } from './native-machine.js';

/**
 * Starts workers at the end of its input and, when all of them have ended, says so. Half of them end by themselves, the others
 * are ended.
 */
const PROGRAM = `
const { Worker, isMainThread } = require('node:worker_threads');
const { once } = require('node:events');
function turn() { return JSON.parse('{"n": 7}').n; }
async function lane(count) {
  for (let i = 0; i < count; i++) {
    const worker = new Worker(__filename);
    const over = once(worker, 'exit');
    if (i % 2 === 1) worker.once('online', () => worker.terminate());
    await over;
  }
}
if (isMainThread) {
  process.stdin.resume().once('end', async () => {
    await Promise.all([lane(WORKERS), lane(WORKERS)]);
    console.log('over');
  });
} else for (let i = 0; i < 100; i++) turn();
`;
/** In each of two lanes. */
const WORKERS = 8;

describe('workers of a process whose native functions are all followed', { skip: noTracing || textRefusal() }, () => {
  it('end without writing to what V8 has freed', async (t) => {
    const sandbox = new Sandbox(t);
    const child = await sandbox.start(PROGRAM.replaceAll('WORKERS', String(WORKERS)), { FENTRY: 'native' });
    const files = sandbox.client(child.pid);
    await files.write('current_tracer', 'function_graph');
    const { code, signal, stdout, stderr } = await finished(child);
    assert.deepEqual([code, signal, stdout], [0, null, 'over\n'], stderr);
  });
});
