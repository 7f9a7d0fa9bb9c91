import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Beats, Heartbeat } from './heartbeat.js';

/** Beats that a test writes; a reset counts anew, as that of a histogram. */
function written() {
  const beats = {
    count: 0,
    max: 0,
    reset() {
      beats.count = 0;
      beats.max = 0;
    },
  };
  return beats satisfies Beats;
}

test('a heart is silent until its count changes', () => {
  const beats = written();
  const heartbeat = new Heartbeat(beats, 100);
  heartbeat.look(100);
  assert.deepEqual(heartbeat.look(130), { silentFor: 30 });
  beats.count++;
  assert.deepEqual(heartbeat.look(140), { silentFor: 0, gap: 40 });
  assert.deepEqual(heartbeat.look(145), { silentFor: 5 });
});

test('the histogram knows exactly how long it was silent, but for the first time after it counts anew', () => {
  const beats = written();
  const heartbeat = new Heartbeat(beats, 0);
  const beat = (now: number, max: number): void => {
    beats.count++;
    beats.max = max * 1e6;
    heartbeat.look(now);
  };
  beat(10, 5);
  beat(430, 412);
  assert.equal(heartbeat.exact(420), 412);
  assert.equal(beats.max, 0, 'it counts anew');
  beat(600, 4);
  assert.equal(heartbeat.exact(170), 170, 'the beat before was not counted');
  beat(610, 4);
  beat(700, 900);
  assert.equal(heartbeat.exact(90), 90, 'another gap was longer');
});

test('what is counted anew is no beat', () => {
  const beats = written();
  const heartbeat = new Heartbeat(beats, 0);
  beats.count = 7;
  heartbeat.look(10);
  heartbeat.exact(10);
  assert.deepEqual(heartbeat.look(20), { silentFor: 10 });
});
