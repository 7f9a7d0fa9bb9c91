import assert from 'node:assert/strict';
import { hasSubscribers } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { HIDDEN } from '../shared/hidden-objects.js';
import { cpuhp } from './cpuhp.js';
import { CALLER, descriptorsOf, EventLog } from './testing/event-log.js';

const OFFLINE = 0;
const STARTING = 1;
const ONLINE = 2;

/** The last worker's records, without its number: the event, where the worker goes to or is, the step, and `fun` or `ret`. */
async function recorded(act: () => Promise<Worker>): Promise<readonly unknown[]> {
  const log = new EventLog(cpuhp, { cpuOf: (worker) => worker + 100 });
  log.enable();
  const worker = await act();
  log.disable();
  assert.equal(worker.threadId, -1);
  return log.take().map(([event, { cpu, worker: number, target, state, idx, fun, ret }]) => {
    assert.equal(cpu, (number as number) + 100);
    return [event, target ?? state, idx, fun ?? ret];
  });
}

test('a worker that ends by itself', async () => {
  const records = await recorded(async () => {
    const worker = new Worker('process.exitCode = 3', { eval: true });
    assert.deepEqual(await once(worker, 'exit'), [3]);
    return worker;
  });
  assert.deepEqual(records, [
    ['cpuhp_enter', ONLINE, STARTING, CALLER],
    ['cpuhp_exit', ONLINE, STARTING, 0],
    ['cpuhp_exit', OFFLINE, ONLINE, 3],
  ]);
});

test('a worker that is terminated', async () => {
  const records = await recorded(async () => {
    const worker = new Worker('setInterval(() => {}, 1000)', { eval: true });
    await once(worker, 'online');
    assert.equal(await worker.terminate(), 1);
    assert.equal(await worker.terminate(), undefined);
    return worker;
  });
  assert.deepEqual(records.slice(2), [
    ['cpuhp_enter', OFFLINE, ONLINE, CALLER],
    ['cpuhp_exit', OFFLINE, ONLINE, 1],
  ]);
});

test('a worker that throws: its error comes as before', async () => {
  const records = await recorded(async () => {
    const worker = new Worker('throw new RangeError("far")', { eval: true });
    const exited = new Promise((end) => worker.on('exit', end));
    const [error] = (await once(worker, 'error')) as [Error];
    assert.equal(error.message, 'far');
    await exited;
    return worker;
  });
  assert.deepEqual(records.at(-1), ['cpuhp_exit', OFFLINE, ONLINE, 1]);
});

test('fentry’s own worker is left out', async () => {
  const log = new EventLog(cpuhp);
  const worker = new Worker('setInterval(() => {}, 1000)', { eval: true });
  Object.defineProperty(worker, HIDDEN, { value: true });
  log.enable();
  await worker.terminate();
  log.disable();
  assert.deepEqual(log.take(), []);
});

test('afterwards nothing is left', () => {
  const before = descriptorsOf(Worker.prototype);
  const keys = Reflect.ownKeys(Worker.prototype);
  const log = new EventLog(cpuhp);
  log.enable('cpuhp_exit');
  assert.deepEqual(Reflect.ownKeys(Worker.prototype), keys);
  assert.equal(hasSubscribers('worker_threads'), true);
  log.disable();
  assert.equal(hasSubscribers('worker_threads'), false);
  assert.deepEqual(descriptorsOf(Worker.prototype), before);
});
