import assert from 'node:assert/strict';
import { test } from 'node:test';
import { taskPid } from '../../ftrace/task-pid.js';
import { TaskTable } from '../../port/task-table.js';
import { FakeThread } from '../testing/fake-thread.js';
import { AsyncContexts } from './async-contexts.js';

const table = (thread: FakeThread): TaskTable => new TaskTable(thread.of('tasks')[0]!.memory!);

test('threads follow contexts only while the option is on', () => {
  const contexts = new AsyncContexts();
  const early = new FakeThread(0);
  contexts.addThread(early.connection);
  assert.deepEqual(early.posted, []);
  contexts.setOn(true);
  const late = new FakeThread(1);
  contexts.addThread(late.connection);
  contexts.setOn(false);
  for (const thread of [early, late]) {
    const followed = thread.of('tasks').map(({ memory }) => memory !== undefined);
    assert.deepEqual(followed, [true, false]);
  }
});

test('contexts are known by the types that their threads wrote down', () => {
  const contexts = new AsyncContexts();
  const [main, worker] = [new FakeThread(0), new FakeThread(1)];
  contexts.addThread(main.connection);
  contexts.addThread(worker.connection);
  contexts.setOn(true);
  const [ofMain, ofWorker] = [table(main), table(worker)];
  ofMain.created(taskPid(0, 5), ofMain.setType(0, 'PROMISE'), 1, 1);
  ofWorker.created(taskPid(1, 5), ofWorker.setType(0, 'Timeout'), 1, 1);
  ofWorker.running(taskPid(1, 5));
  assert.deepEqual([contexts.comm(5), contexts.comm(taskPid(1, 5)), contexts.comm(6)], ['PROMISE', 'Timeout', undefined]);
  assert.deepEqual([...contexts.comms()], [[taskPid(1, 5), 'Timeout']]);
});

test('each instance with lists has a bit; threads keep the lists, and report their own tasks', () => {
  const contexts = new AsyncContexts();
  const [main, worker] = [new FakeThread(0), new FakeThread(1)];
  contexts.addThread(main.connection);
  contexts.addThread(worker.connection);
  contexts.setOn(true);
  const [inMain, inWorker] = [taskPid(0, 7), taskPid(1, 7)];
  assert.equal(contexts.setPids(0, 'functions', { pids: [inMain, inWorker], notrace: undefined, follow: true }), 1);
  assert.equal(contexts.setPids(12, 'events', { pids: undefined, notrace: [inMain], follow: false }), 2);
  assert.equal(contexts.setPids(12, 'events', undefined), 0);

  contexts.ask();
  assert.deepEqual(main.posted.at(-1), { type: 'askTasks', slots: [0] });
  const child = taskPid(0, 8);
  const told = contexts.told(main.connection, [{ slot: 0, pids: [child, inWorker], notrace: [] }]);
  assert.deepEqual(told, [
    { instance: 0, listed: 'functions', pids: { pids: [inWorker, child], notrace: undefined, follow: true } },
  ]);
});

test('there is room for fifteen lists', () => {
  const contexts = new AsyncContexts();
  contexts.setOn(true);
  const lists = { pids: [1], notrace: undefined, follow: false };
  for (let instance = 0; instance < 15; instance++) contexts.setPids(instance, 'functions', lists);
  assert.throws(() => contexts.setPids(0, 'events', lists), { errno: 'ENOSPC' });
});
