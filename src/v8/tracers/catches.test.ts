import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Catches } from './catches.js';
import type { PortCells, SiteCalls } from './cells.js';

function createCatches() {
  const cells = new Map<string, unknown>();
  const unwound: number[] = [];
  const port = { setCall: (letter: string, value: unknown) => void cells.set(letter, value) } as unknown as PortCells;
  const catches = new Catches(port, { d: () => 5, u: (mark) => void unwound.push(mark) });
  const call = (letter: 'd' | 'u', ...args: readonly unknown[]): unknown =>
    Reflect.apply(cells.get(letter) as SiteCalls['d'], undefined, args);
  return { catches, call, unwound, mark: () => cells.get('d') };
}

test('a catch tells its listener of what it takes, a finally nothing', () => {
  const { catches, call, unwound, mark } = createCatches();
  const heard: [unknown, boolean][] = [];
  const stop = catches.listen((...caught) => heard.push(caught));
  assert.equal(call('d'), 5);
  call('u', 5);
  call('u', 5, undefined);
  call('u', 5, 0, 0);
  assert.equal(call('d', 'awaited'), 5);
  assert.deepEqual(heard, [
    [undefined, true],
    [0, false],
    ['awaited', true],
  ]);
  assert.deepEqual(unwound, [5, 5, 5]);
  stop();
  assert.equal(mark(), 0);
  call('u', 5, 'late');
  assert.equal(heard.length, 3);
});

test('it stays while functions are traced', () => {
  const { catches, call, mark } = createCatches();
  catches.setTraced(true);
  const heard: unknown[] = [];
  const stop = catches.listen((caught) => heard.push(caught));
  catches.setTraced(false);
  call('u', 5, 1);
  catches.setTraced(true);
  stop();
  assert.equal(call('d', 2), 5);
  catches.setTraced(false);
  assert.equal(mark(), 0);
  assert.deepEqual(heard, [1]);
});
