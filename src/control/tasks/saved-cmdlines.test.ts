import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cmdlineRoom, SavedCmdlines } from './saved-cmdlines.js';

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
