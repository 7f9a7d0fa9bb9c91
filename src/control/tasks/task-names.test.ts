import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SavedCmdlines } from './saved-cmdlines.js';
import { TaskNames } from './task-names.js';

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
