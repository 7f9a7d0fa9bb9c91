import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ignoresPid, type PidList, pidText, writePids } from './pid-list.js';

const written = (...texts: readonly string[]): string => {
  let list: PidList;
  for (const text of texts) list = writePids(list, text);
  return pidText(list, 'set_ftrace_pid');
};

test('each write adds to the list, which is in order', () => {
  assert.equal(written('1\n', '100 50 7\n', '7'), '1\n7\n50\n100\n');
  assert.equal(written('0x10 010 +3 0\n'), '0\n3\n8\n16\n');
  assert.equal(written('4294967297'), '1\n');
});

test('a write of no pid changes nothing', () => {
  assert.equal(written('1 2', '\n'), '1\n2\n');
  assert.equal(writePids(new Set(), ' '), undefined);
  assert.equal(written('\n'), 'no pid\n');
  assert.equal(pidText(undefined, 'set_event_pid'), '');
});

test('an invalid pid fails the whole write', () => {
  const list = new Set([5]);
  for (const text of ['abc', '1 abc 2', '-1', '1,2', '!1', '99999999999999999999999', '0'.repeat(128)]) {
    assert.throws(() => writePids(list, text), { errno: 'EINVAL' }, text);
  }
  for (const text of ['1073741824', '99999999999']) assert.throws(() => writePids(list, text), { errno: 'EPERM' }, text);
  assert.deepEqual([...writePids(list, `1073741823 ${'1'.padStart(127, '0')}`)!], [5, 1073741823, 1]);
});

test('tasks are ignored when others are named, or when they are named to be', () => {
  const pids = [1, 2, 3];
  const traced = (yes: PidList, no: PidList): number[] => pids.filter((pid) => !ignoresPid(yes, no, pid));
  assert.deepEqual(traced(undefined, undefined), [1, 2, 3]);
  assert.deepEqual(traced(new Set([1, 2]), new Set([2])), [1]);
  assert.deepEqual(traced(undefined, new Set([2])), [1, 3]);
  assert.deepEqual(traced(new Set(), undefined), []);
});
