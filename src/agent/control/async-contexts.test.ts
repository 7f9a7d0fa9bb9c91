import assert from 'node:assert/strict';
import { test } from 'node:test';
import { taskPid } from '../task-pid.js';
import { TaskTable } from '../task-table.js';
import { AsyncContexts } from './async-contexts.js';
import type { ThreadConnection } from './thread-connection.js';

type Posted = Parameters<ThreadConnection['post']>[0];

/** A thread that keeps what it is told. */
function fakeThread(cpu: number): { readonly thread: ThreadConnection; readonly posted: Posted[] } {
  const posted: Posted[] = [];
  return { thread: { cpu, post: (command: Posted) => posted.push(command) } as unknown as ThreadConnection, posted };
}

const table = (posted: readonly Posted[]): TaskTable => {
  const told = posted.find((command) => command.type === 'tasks');
  return new TaskTable((told as { memory: SharedArrayBuffer }).memory);
};

test('threads follow contexts only while the option is on', () => {
  const contexts = new AsyncContexts();
  const early = fakeThread(0);
  contexts.addThread(early.thread);
  assert.deepEqual(early.posted, []);
  contexts.setOn(true);
  const late = fakeThread(1);
  contexts.addThread(late.thread);
  contexts.setOn(false);
  for (const { posted } of [early, late]) {
    assert.deepEqual(
      posted.map((command) => (command.type === 'tasks' ? command.memory !== undefined : command.type)),
      [true, false],
    );
  }
});

test('contexts are known by the types that their threads wrote down', () => {
  const contexts = new AsyncContexts();
  const [main, worker] = [fakeThread(0), fakeThread(1)];
  contexts.addThread(main.thread);
  contexts.addThread(worker.thread);
  contexts.setOn(true);
  const [ofMain, ofWorker] = [table(main.posted), table(worker.posted)];
  ofMain.created(taskPid(0, 5), ofMain.setType(0, 'PROMISE'), 1, 1);
  ofWorker.created(taskPid(1, 5), ofWorker.setType(0, 'Timeout'), 1, 1);
  ofWorker.running(taskPid(1, 5));
  assert.deepEqual([contexts.comm(5), contexts.comm(taskPid(1, 5)), contexts.comm(6)], ['PROMISE', 'Timeout', undefined]);
  assert.deepEqual([...contexts.comms()], [[taskPid(1, 5), 'Timeout']]);
});

test('each instance with lists has a bit; threads keep the lists, and tell of their own tasks', () => {
  const contexts = new AsyncContexts();
  const [main, worker] = [fakeThread(0), fakeThread(1)];
  contexts.addThread(main.thread);
  contexts.addThread(worker.thread);
  contexts.setOn(true);
  const [inMain, inWorker] = [taskPid(0, 7), taskPid(1, 7)];
  assert.equal(contexts.setPids(0, { pids: [inMain, inWorker], notrace: undefined, follow: true }), 1);
  assert.equal(contexts.setPids(12, { pids: undefined, notrace: [inMain], follow: false }), 2);
  assert.equal(contexts.setPids(12, undefined), 0);

  contexts.ask();
  assert.deepEqual(main.posted.at(-1), { type: 'askTasks', slots: [0] });
  const child = taskPid(0, 8);
  const told = contexts.told(main.thread, [{ slot: 0, pids: [child, inWorker], notrace: [] }]);
  assert.deepEqual(told, [[0, { pids: [inWorker, child], notrace: undefined, follow: true }]]);
});

test('there is room for the lists of fifteen instances', () => {
  const contexts = new AsyncContexts();
  contexts.setOn(true);
  const lists = { pids: [1], notrace: undefined, follow: false };
  for (let instance = 0; instance < 15; instance++) contexts.setPids(instance, lists);
  assert.throws(() => contexts.setPids(15, lists), { errno: 'ENOSPC' });
});
