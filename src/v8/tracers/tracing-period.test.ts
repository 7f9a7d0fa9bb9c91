import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Fgraph } from '../../ftrace/fgraph.js';
import type { SiteCalls } from './cells.js';
import { TracingPeriod } from './tracing-period.js';

const nothing = (): void => {};
const calls: SiteCalls = {
  x: () => {},
  y: nothing,
  z: nothing,
  w: nothing,
  v: nothing,
  k: nothing,
  d: () => 1,
  u: nothing,
};
const pop = (): void => {};

/** A period, and the cells that it has written, in order. */
function createPeriod() {
  const cells: [letter: string, value: unknown][] = [];
  let listeners = 0;
  const needs = {
    cells: {
      arm: () => true,
      disarm: () => true,
      setCall: (letter: string, value: unknown) => void cells.push([letter, value]),
    },
    onUncaught() {
      listeners++;
      return () => void listeners--;
    },
  };
  const period = new TracingPeriod(needs, new Fgraph(() => 0, nothing), { calls, pop, ended: nothing, uncaught: nothing });
  return { period, took: () => cells.splice(0), listeners: () => listeners };
}

test('a period gives sites their exits; those that an old token may still call stay', () => {
  const { period, took, listeners } = createPeriod();
  period.begin();
  assert.deepEqual(new Set(took().map(([letter]) => letter)), new Set('yzwvkuxd'));
  assert.equal(listeners(), 1);
  period.end();
  assert.deepEqual(took(), [['d', 0]]);
  assert.equal(listeners(), 0);
  period.begin();
  assert.deepEqual(took(), [['d', calls.d]]);
});

test('exits record only where a tracer wants that, also when it is chosen between periods', () => {
  const { period, took } = createPeriod();
  period.begin();
  assert.deepEqual(took().find(([letter]) => letter === 'x')?.[1], pop);
  period.end();
  took();
  period.setRecordsExits(true);
  assert.deepEqual(took(), [['x', calls.x]]);
  period.setRecordsExits(true);
  assert.deepEqual(took(), []);
});
