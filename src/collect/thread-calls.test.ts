import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ThreadCalls } from './thread-calls.js';

/** A call ends: its own time. */
function leave(calls: ThreadCalls, depth: number, time: number, call: number): number {
  calls.leave(depth, time, call);
  return calls.own;
}
const again = (calls: ThreadCalls): ThreadCalls => new ThreadCalls(JSON.parse(JSON.stringify(calls.data())));

test('a call has its time without that of the calls in it', () => {
  const calls = new ThreadCalls();
  calls.enter(0, 100, false);
  calls.enter(1, 110, false);
  calls.enter(2, 120, false);
  assert.equal(leave(calls, 2, 150, 30), 30);
  assert.equal(leave(calls, 1, 160, 50), 20);
  calls.enter(1, 170, false);
  assert.equal(leave(calls, 1, 180, 10), 10);
  assert.equal(leave(calls, 0, 200, 100), 40);
  assert.equal(calls.stay, 100);
});

test('it goes on from its data, and without entries it has what exits say', () => {
  const calls = new ThreadCalls();
  calls.enter(0, 100, false);
  calls.enter(1, 110, false);
  calls.leave(1, 150, 40);
  const next = again(calls);
  assert.equal(leave(next, 0, 200, 100), 60);
  assert.equal(leave(next, 1, 300, 30), 30);
  assert.equal(leave(next, 0, 310, 100), 70, 'its callee was told of by its exit alone');
});

test('after a loss nothing is known of what is open, and a coroutine counts from where it goes on', () => {
  const calls = new ThreadCalls();
  calls.enter(0, 100, false);
  calls.forget();
  assert.equal(leave(calls, 0, 500, 400), 400);
  calls.enter(0, 1000, true);
  assert.equal(leave(again(calls), 0, 1010, 910), 10, 'the call began long ago');
});

test('a call has the span that it began in, also in the next batch', () => {
  const calls = new ThreadCalls();
  const order = { trace: 't', span: 'order' };
  calls.span = order;
  calls.context = 7;
  calls.enter(0, 100, false);
  calls.span = { trace: 't', span: 'tax' };
  const next = again(calls);
  assert.deepEqual([next.span.span, next.context], ['tax', 7]);
  next.leave(0, 200, 100);
  assert.deepEqual(next.endedIn, order);
  next.leave(0, 300, 50);
  assert.equal(next.endedIn.span, 'tax', 'its beginning is not known');
});
