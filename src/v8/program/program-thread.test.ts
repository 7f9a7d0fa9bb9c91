import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BroadcastChannel, receiveMessageOnPort } from 'node:worker_threads';
import { createInstanceSwitch } from '../../ring-buffer/index.js';
import { ThreadConnection } from '../control/thread-connection.js';
import { createControlBlock, THREAD_WORD, takeCpu, threadWord, WORD } from '../shared/control-block.js';
import { channelName, type ThreadEvent } from '../shared/protocol.js';
import { ProgramThread, type TracingParts } from './program-thread.js';
import { unreadable } from './testing/unreadable.js';

/** The agent of a thread, and the control thread's connection with it. */
function connected(t: { after(run: () => void): void }, tracing: Partial<TracingParts> = {}) {
  const nonce = `test-${process.pid}-${performance.now()}`;
  const block = createControlBlock();
  const tid = process.pid;
  const cpu = takeCpu(block, tid)!;
  const share = {
    nonce,
    block: block.buffer as SharedArrayBuffer,
    topSwitch: createInstanceSwitch(1),
    links: new SharedArrayBuffer(8),
  };
  const agent = new ProgramThread({
    share,
    cpu,
    tid,
    needControl: () => {},
    tracing: tracing as TracingParts,
    texts: { isOwn: () => false },
    cells: { mustRenew: false, renew: () => true },
  });
  agent.open();
  const events: ThreadEvent[] = [];
  const thread = new ThreadConnection({
    nonce,
    cpu,
    tid,
    parent: 0,
    onEvent: (event) => void events.push(event),
    interrupt: () => agent.interrupt(),
    state: () => ({ state: 'S', syscall: undefined, wchan: 'ep_poll', children: [] }),
  });
  Atomics.store(block, threadWord(cpu, THREAD_WORD.CONNECTED), 1);
  t.after(() => {
    agent.detach();
    thread.end();
  });
  return { agent, thread, events, nonce, block };
}

const spoilt = { type: 'print', text: unreadable() as unknown as Uint8Array } as const;
const LOST = { errno: 'EIO', message: /^cpu 0 \(thread \d+\) did not obey \(lost\): the thread could not read it$/ };

test('what a command failed with is the error of whoever waits for it, and of nobody else', async (t) => {
  const writers = (): never => {
    throw new RangeError('no memory');
  };
  const { thread, events } = connected(t, { writers });
  await thread.send({ type: 'hello' });
  const failed = assert.rejects(thread.send({ type: 'snapshot', instance: 0 }), {
    errno: 'EIO',
    message: /^cpu 0 \(thread \d+\) did not obey \(snapshot\): internal error: RangeError: no memory\n/,
  });
  await Promise.all([failed, thread.send({ type: 'hello' })]);
  assert.equal(await thread.settled(), undefined);
  const told = events.flatMap((event) => (event.type === 'ack' && event.disobeyed !== undefined ? [event.disobeyed] : []));
  assert.deepEqual(
    told.map(({ command }) => command),
    ['snapshot'],
  );
});

test('one that nobody has waited for yet fails for who does', async (t) => {
  const writers = (): never => {
    throw new RangeError('no memory');
  };
  const { thread } = connected(t, { writers });
  thread.post({ type: 'snapshot', instance: 0 });
  while (!thread.hasObeyed) await new Promise((resolve) => setTimeout(resolve, 5));
  await assert.rejects(thread.settled(), { errno: 'EIO' });
  assert.equal(await thread.settled(), undefined);
});

test('a command that cannot be read is an error at once, and the thread goes on', async (t) => {
  const { thread } = connected(t);
  await thread.send({ type: 'hello' });
  await assert.rejects(thread.send(spoilt), LOST);
  // One that comes before another.
  thread.post(spoilt);
  await assert.rejects(thread.send({ type: 'hello' }), LOST);
  await thread.send({ type: 'hello' });
});

test('so it is for a thread that is interrupted and does not turn its event loop', async (t) => {
  const { agent, thread, nonce, events } = connected(t);
  await thread.send({ type: 'hello' });
  thread.post(spoilt);
  thread.post({ type: 'hello' });
  const control = new BroadcastChannel(channelName(nonce, 0));
  t.after(() => control.close());
  // Not by the event loop: the first interrupt finds what cannot be read, the second the command behind it.
  agent.interrupt();
  agent.interrupt();
  const acks: ThreadEvent[] = [];
  for (let one = receiveMessageOnPort(control as never); one !== undefined; one = receiveMessageOnPort(control as never)) {
    const message = one.message as ThreadEvent;
    if (message.type === 'ack') acks.push(message);
  }
  assert.deepEqual(acks, [
    { type: 'ack', seq: 2, disobeyed: { command: 'lost', errno: 'EIO', message: 'the thread could not read it' } },
    { type: 'ack', seq: 3 },
  ]);
  assert.equal(
    events.some(({ type }) => type === 'unread'),
    false,
    'its event loop has not turned',
  );
});

test('what fails around a command fails it too, and not the program', async (t) => {
  const quietly = (run: () => void): void => {
    if (isBroken) throw new RangeError('broken');
    run();
  };
  let isBroken = false;
  const runtime = { quietly, proceed: () => true, discardLatency: () => {}, disarm() {}, events: { end() {} } };
  const { agent, thread } = connected(t, { runtime: () => runtime as never });
  assert.equal(agent.runtime, runtime);
  await thread.send({ type: 'hello' });
  isBroken = true;
  await assert.rejects(thread.send({ type: 'hello' }), {
    errno: 'EIO',
    message: /\(hello\): internal error: RangeError: broken/,
  });
  isBroken = false;
  await thread.send({ type: 'hello' });
});

test('what is obeyed in the midst of the program’s own turn has V8’s built-ins', async (t) => {
  const added: number[] = [];
  const writers = () => ({ ringBuffer: () => void added.push(1) });
  const { agent, thread, block } = connected(t, { writers: writers as never });
  await thread.send({ type: 'hello' });
  Atomics.store(block, WORD.DECLARED_WAITS, 1);
  thread.post({ type: 'snapshot', instance: 0 });
  const { push } = Array.prototype;
  Array.prototype.push = (): never => {
    throw new Error('replaced');
  };
  try {
    agent.obeyAtStart();
  } finally {
    Array.prototype.push = push;
  }
  assert.deepEqual(added, [1]);
});

test('a chore that an interrupt has received is done later', async (t) => {
  const { agent, thread, events } = connected(t);
  await thread.send({ type: 'hello' });
  let slices = 0;
  agent.storeSome = () => ++slices < 2;
  thread.chore('store');
  agent.interrupt();
  assert.equal(slices, 0, 'this turn is the program’s');
  while (slices < 2) await new Promise((resolve) => setTimeout(resolve, 5));
  assert.equal(events.filter(({ type }) => type === 'chore left').length, 2);
});
