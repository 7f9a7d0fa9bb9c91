import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OwnTimes } from './own-times.js';

test('a call has its time without that of the calls in it', () => {
  const times = new OwnTimes();
  times.enter(0, 100);
  times.enter(1, 110);
  times.enter(2, 120);
  assert.equal(times.leave(2, 150, 30), 30);
  assert.equal(times.leave(1, 160, 50), 20);
  times.enter(1, 170);
  assert.equal(times.leave(1, 180, 10), 10);
  assert.equal(times.leave(0, 200, 100), 40);
});

test('it goes on from its data, and without entries it has what exits say', () => {
  const times = new OwnTimes();
  times.enter(0, 100);
  times.enter(1, 110);
  times.leave(1, 150, 40);
  const next = new OwnTimes(JSON.parse(JSON.stringify(times.data())));
  assert.equal(next.leave(0, 200, 100), 60);
  assert.equal(next.leave(1, 300, 30), 30);
  assert.equal(next.leave(0, 310, 100), 70, 'its callee was told of by its exit alone');
});

test('after a loss nothing is known of what is open, and a coroutine counts from where it goes on', () => {
  const times = new OwnTimes();
  times.enter(0, 100);
  times.forget();
  assert.equal(times.leave(0, 500, 400), 400);
  times.enter(0, 1000);
  assert.equal(times.leave(0, 1010, 910), 10, 'the call began long ago');
});
