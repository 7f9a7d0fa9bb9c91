import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ScriptBrake } from './script-brake.js';

const LOOK = 1e8;

/** The look, by its number, at which a script is over that takes a part of the thread's time; undefined: not in ten seconds. */
function overAt(part: number, running: number): number | undefined {
  const brake = new ScriptBrake();
  let spent = 1e12;
  let waited = 5e9;
  for (let i = 1; i <= 100; i++) {
    spent += part * running * LOOK;
    waited += (1 - running) * LOOK;
    if (brake.isOver({ now: 3e12 + i * LOOK, waited, spent })) return i;
  }
  return undefined;
}

test('a script that takes over half of a thread is over within its second', () => {
  assert.equal(overAt(0.9, 1), 7);
  assert.equal(overAt(0.55, 1), 11);
  assert.equal(overAt(0.45, 1), undefined);
});

test('on a busy machine it is over as well, later', () => {
  assert.equal(overAt(0.9, 0.25), 24);
  assert.equal(overAt(0.45, 0.25), undefined);
});

test('a thread that sleeps most of the time is left alone', () => {
  // Handlers take all of what it runs: 40 % of the time.
  assert.equal(overAt(0.4, 1), undefined);
});
