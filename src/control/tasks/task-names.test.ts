import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cmdlineRoom, SavedCmdlines, TaskNames } from './task-names.js';

test('there is room for what the memory of the kernel holds: 6552 names, or the next power of two', () => {
  assert.deepEqual([1, 128, 6552, 6553, 32_768].map(cmdlineRoom), [6552, 6552, 6552, 19_659, 45_874]);
});

test('a task keeps the name that it had last', () => {
  const comms = new SavedCmdlines();
  comms.set(7, 'sh');
  comms.set(7, 'node');
  assert.equal(comms.get(7), 'node');
  assert.deepEqual([...comms], [[7, 'node']]);
});

test('a task of another process has a name, and is not this process’s', () => {
  const comms = new SavedCmdlines();
  comms.set(7, 'node');
  comms.setStranger(8, 'bash');
  assert.deepEqual(
    [7, 8, 9].map((pid) => comms.isOwn(pid)),
    [true, false, false],
  );
  assert.equal(comms.get(8), 'bash');
});

test('when it is full the oldest name goes', () => {
  const comms = new SavedCmdlines();
  for (let pid = 1; pid <= comms.size + 2; pid++) comms.set(pid, 'x');
  assert.equal(comms.get(2), undefined);
  assert.equal(comms.get(3), 'x');
  assert.equal([...comms].length, comms.size);
});

test('a smaller table forgets what does not fit any more', () => {
  const comms = new SavedCmdlines();
  comms.resize(10_000);
  for (let pid = 1; pid <= 10_000; pid++) comms.set(pid, 'x');
  assert.equal([...comms].length, 10_000);
  comms.resize(1);
  assert.equal([...comms].length, 6552);
  assert.equal(comms.get(10_000), 'x');
});

test('while recording is off, names of new tasks are not added', () => {
  const comms = new SavedCmdlines();
  comms.set(7, 'sh');
  comms.isRecording = false;
  comms.set(8, 'node');
  assert.deepEqual([...comms], [[7, 'sh']]);
});

function createNames(isOn: boolean, contexts: readonly (readonly [number, string])[]): TaskNames {
  const cmdlines = new SavedCmdlines();
  cmdlines.set(7, 'node');
  const comm = (pid: number): string | undefined => new Map(contexts).get(pid);
  return new TaskNames(cmdlines, { isOn, comm, comms: () => contexts });
}

test('a number that a thread and a context have means the one that is a task now', () => {
  const contexts = [[7, 'PROMISE']] as const;
  assert.equal(createNames(false, contexts).comm(7), 'node');
  assert.equal(createNames(true, contexts).comm(7), 'PROMISE');
});

test('a task that only the other kind knows has its name from there', () => {
  assert.equal(createNames(true, []).comm(7), 'node');
  assert.equal(createNames(false, [[8, 'Timeout']]).comm(8), 'Timeout');
  assert.equal(createNames(false, []).comm(9), undefined);
});

test('threads and contexts are tasks of this process, other known names are not', () => {
  const cmdlines = new SavedCmdlines();
  cmdlines.set(7, 'node');
  cmdlines.setStranger(9, 'bash');
  const names = new TaskNames(cmdlines, { isOn: false, comm: (pid) => (pid === 8 ? 'Timeout' : undefined), comms: () => [] });
  assert.deepEqual(
    [7, 8, 9].map((pid) => names.isOwn(pid)),
    [true, true, false],
  );
});

test('of the contexts as many are listed as there is room for names, the latest', () => {
  const contexts = Array.from({ length: 50_000 }, (_, pid) => [pid + 100, 'TickObject'] as const);
  const listed = [...createNames(true, contexts).comms()];
  assert.deepEqual(listed[0], [7, 'node']);
  assert.deepEqual(listed.at(-1), contexts.at(-1));
  assert.equal(listed.length, new SavedCmdlines().size + 1);
});
