import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { runInThisContext } from 'node:vm';
import { Worker } from 'node:worker_threads';
import { RUNS_PROGRAM } from './runs-program.js';

const evaluate = (): unknown => runInThisContext(RUNS_PROGRAM, { filename: '' });

test('where the program’s code runs, Node has started; Error is as it was', () => {
  const { prepareStackTrace, stackTraceLimit } = Error;
  assert.equal(evaluate(), true);
  assert.deepEqual([Error.prepareStackTrace, Error.stackTraceLimit], [prepareStackTrace, stackTraceLimit]);
  assert.equal(Object.hasOwn(Error, 'prepareStackTrace'), prepareStackTrace !== undefined);
});

test('so it has in a main thread in which nothing runs', async () => {
  const source = `
    const { Session } = require('node:inspector');
    const { parentPort, workerData } = require('node:worker_threads');
    const session = new Session();
    session.connectToMainThread();
    session.post('Runtime.evaluate', { expression: workerData, includeCommandLineAPI: true }, (error, answer) => {
      parentPort.postMessage(error ?? answer.result.value);
    });
  `;
  const [value] = await once(new Worker(source, { eval: true, workerData: RUNS_PROGRAM }), 'message');
  assert.equal(value, true);
});
