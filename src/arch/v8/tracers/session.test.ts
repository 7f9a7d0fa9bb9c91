import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Fgraph } from '../../../ftrace/fgraph.js';
import type { SiteServices } from './cells.js';
import { Session } from './session.js';

const nothing = (): void => {};
const services: SiteServices = {
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

/** A session, and the cells that it has written, in order. */
function createSession() {
  const cells: [letter: string, value: unknown][] = [];
  let listeners = 0;
  const host = {
    cells: {
      arm: () => true,
      disarm: () => true,
      setService: (letter: string, value: unknown) => void cells.push([letter, value]),
    },
    onUncaught() {
      listeners++;
      return () => void listeners--;
    },
  };
  const session = new Session(host, new Fgraph(() => 0, nothing), { services, pop, ended: nothing });
  return { session, took: () => cells.splice(0), listeners: () => listeners };
}

test('a session gives sites their exits; those that an old token may still call stay', () => {
  const { session, took, listeners } = createSession();
  session.begin();
  assert.deepEqual(new Set(took().map(([letter]) => letter)), new Set('yzwvkuxd'));
  assert.equal(listeners(), 1);
  session.end();
  assert.deepEqual(took(), [['d', 0]]);
  assert.equal(listeners(), 0);
  session.begin();
  assert.deepEqual(took(), [['d', services.d]]);
});

test('exits record only where a tracer wants that, also when it is chosen between sessions', () => {
  const { session, took } = createSession();
  session.begin();
  assert.deepEqual(took().find(([letter]) => letter === 'x')?.[1], pop);
  session.end();
  took();
  session.setRecordsExits(true);
  assert.deepEqual(took(), [['x', services.x]]);
  session.setRecordsExits(true);
  assert.deepEqual(took(), []);
});
