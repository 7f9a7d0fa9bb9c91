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

test('so it has in a main thread in which nothing runs', async (t) => {
  const source = `
    const { Session } = require('node:inspector');
    const { parentPort, workerData } = require('node:worker_threads');
    const session = new Session();
    session.connectToMainThread();
    // The main thread may be running Node's code alone at the moment.
    const ask = () => session.post('Runtime.evaluate', { expression: workerData, includeCommandLineAPI: true }, (error, answer) => {
      if (answer?.result.value === false) ask();
      else parentPort.postMessage(error ?? answer.result.value);
    });
    ask();
    // A session keeps no thread alive.
    setInterval(() => {}, 1000);
  `;
  const worker = new Worker(source, { eval: true, workerData: RUNS_PROGRAM });
  t.after(() => worker.terminate());
  const [value] = await once(worker, 'message');
  assert.equal(value, true);
});
