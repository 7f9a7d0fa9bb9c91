import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BroadcastChannel } from 'node:worker_threads';
import { allSettled } from '../../port/all-settled.js';
import { channelName, type NextSlice, type ThreadCommand } from '../shared/protocol.js';
import { ThreadConnection } from './thread-connection.js';

/** A connection to a thread that obeys when it is told to. */
function connection(t: { after(run: () => void): void }) {
  const nonce = `test-${process.pid}-${performance.now()}`;
  const interrupted: Promise<void>[] = [];
  const thread = new ThreadConnection({
    nonce,
    cpu: 0,
    tid: 1,
    parent: 0,
    onEvent: () => {},
    interrupt: (obeyed) => void interrupted.push(obeyed),
    isHelped: () => obeys.isHelped,
    state: () => {
      if (obeys.isGone) return undefined;
      if (obeys.runs) turns++;
      return { state: 'S', syscall: undefined, wchan: 'futex_wait', children: [], turns };
    },
  });
  let turns = 0;
  const channel = new BroadcastChannel(channelName(nonce, 0));
  const received: ThreadCommand[] = [];
  const slices: number[] = [];
  const obey = (): void => {
    for (const { seq } of received.splice(0)) channel.postMessage({ type: 'ack', seq });
  };
  channel.onmessage = (event) => {
    const message = (event as { data: ThreadCommand | NextSlice }).data;
    if (message.type === 'next slice') slices.push(message.slice);
    else received.push(message);
    if (obeys.now) obey();
  };
  const obeys = { now: true, isGone: false, runs: false, isHelped: false };
  t.after(() => {
    thread.end();
    channel.close();
  });
  return { thread, interrupted, obeys, obey, channel, slices };
}

test('waiting for a thread that has obeyed everything ends at once', async (t) => {
  const { thread, interrupted } = connection(t);
  await thread.send({ type: 'hello' });
  // On a busy machine the answer may have come late enough for an interrupt.
  const before = interrupted.length;
  await thread.settled();
  assert.equal(interrupted.length, before);
  assert.equal(thread.isBehind, false);
});

test('a thread that does not obey is interrupted', async (t) => {
  const { thread, interrupted, obeys, obey } = connection(t);
  obeys.now = false;
  thread.post({ type: 'hello' });
  const settled = thread.settled();
  while (interrupted.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  obey();
  await settled;
  assert.equal(interrupted.length, 1);
  assert.equal(thread.isBehind, false);
});

test('a thread that patches in slices is told to continue after each, and is not interrupted', async (t) => {
  const { thread, interrupted, obeys, obey, channel, slices } = connection(t);
  obeys.now = false;
  thread.post({ type: 'hello' });
  let isOver = false;
  const settled = thread.settled().then(() => {
    isOver = true;
  });
  for (let slice = 1; slice <= 30; slice++) {
    const before = interrupted.length;
    channel.postMessage({ type: 'slice', slice });
    while (slices.at(-1) !== slice) await new Promise((resolve) => setTimeout(resolve, 1));
    // Only a busy machine makes a thread seem not to answer.
    if (before > 0) break;
  }
  assert.equal(isOver, false);
  obey();
  await settled;
});

test('waiting for a thread that has ended ends at once', async (t) => {
  const { thread, obeys } = connection(t);
  obeys.now = false;
  const sent = thread.send({ type: 'hello' });
  thread.end();
  await sent;
  await thread.settled();
});

test('so does waiting for one that is gone, before its end is told', async (t) => {
  const { thread, obeys } = connection(t);
  Object.assign(obeys, { now: false, isGone: true });
  thread.post({ type: 'hello' });
  await allSettled([thread]);
});

test('waiting for a thread that sleeps ends, and says what it waits for', async (t) => {
  const { thread, obeys, obey } = connection(t);
  obeys.now = false;
  thread.post({ type: 'hello' });
  assert.equal(await thread.settled(), 'waits for Atomics.wait, or a lock in native code (futex)');
  await assert.rejects(allSettled([thread]), { errno: 'ETIMEDOUT', message: /^cpu 0 \(thread 1\) waits for Atomics\.wait/ });
  obeys.now = true;
  obey();
  assert.equal(await thread.settled(), undefined);
});

for (const [name, state] of [
  ['one that waits for locks and runs in between', { runs: true }],
  ['one that waits for a lock while V8’s own threads are at work', { isHelped: true }],
] as const) {
  test(`${name} is not blocked`, async (t) => {
    const { thread, obeys, obey } = connection(t);
    Object.assign(obeys, { now: false, ...state });
    thread.post({ type: 'hello' });
    const settled = thread.settled();
    await new Promise((resolve) => setTimeout(resolve, 1500));
    obey();
    assert.equal(await settled, undefined);
  });
}
