import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type FoundWorker, InspectorThread } from './inspector-thread.js';
import { ThreadHolds } from './thread-holds.js';

interface Sent {
  readonly id: number;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** A session whose messages are kept. */
function session() {
  const sent: Sent[] = [];
  const thread = new InspectorThread((message) => void sent.push(JSON.parse(message) as Sent));
  const tell = (message: object): void => thread.received(JSON.stringify(message));
  return { sent, thread, tell };
}

test('an answer settles what was asked, and an error rejects it', async () => {
  const { sent, thread, tell } = session();
  const [one, two] = [thread.ask('Runtime.evaluate', { expression: '1' }), thread.ask('Debugger.pause')];
  tell({ id: sent[1]!.id, error: { message: 'no' } });
  tell({ id: sent[0]!.id, result: { value: 1 } });
  assert.deepEqual(await one, { value: 1 });
  await assert.rejects(two, /Debugger\.pause: no/);
});

test('when the session is closed, nothing that was asked waits any more', async () => {
  const { thread } = session();
  const before = thread.ask('Runtime.evaluate');
  thread.close();
  assert.equal(await before, undefined);
  assert.equal(await thread.ask('Runtime.evaluate'), undefined);
});

test('workers are asked through the thread that has started them', async () => {
  const { sent, thread, tell } = session();
  const found: FoundWorker[] = [];
  void thread.findWorkers((worker) => found.push(worker));
  const workerInfo = { title: '[worker 3] résumé \n', url: 'file:///app/w.mjs' };
  tell({ method: 'NodeWorker.attachedToWorker', params: { sessionId: '1', workerInfo } });
  assert.deepEqual([found[0]!.thread, found[0]!.name], [3, 'résumé \n']);
  const asked = found[0]!.session.ask('Runtime.evaluate', { expression: '2' });
  const { params } = sent.at(-1)!;
  const { id } = JSON.parse(String(params['message'])) as Sent;
  const message = JSON.stringify({ id, result: { value: 2 } });
  tell({ method: 'NodeWorker.receivedMessageFromWorker', params: { sessionId: '1', message } });
  assert.deepEqual(await asked, { value: 2 });
  const last = found[0]!.session.ask('Runtime.evaluate');
  tell({ method: 'NodeWorker.detachedFromWorker', params: { sessionId: '1' } });
  assert.equal(await last, undefined);
});

test('while a session holds a thread, another one has it run nothing, but passes on what is for workers', async () => {
  const holds = new ThreadHolds();
  const sent: string[] = [];
  const named = (name: string): InspectorThread =>
    new InspectorThread((message) => sent.push(`${name} ${(JSON.parse(message) as Sent).method}`), holds);
  const [one, two, three] = [named('one'), named('two'), named('three')];
  const never = new Promise<void>(() => {});
  assert.equal(await one.hold(never), true);
  for (const method of ['Runtime.evaluate', 'Debugger.enable', 'NodeWorker.enable']) void two.ask(method);
  void three.ask('Runtime.evaluate');
  three.close();
  void one.ask('Debugger.pause');
  assert.deepEqual(sent.splice(0), ['two NodeWorker.enable', 'one Debugger.pause']);
  assert.equal(await two.hold(Promise.resolve()), false, 'it does not wait for longer than it may');
  const held = two.hold(never);
  void one.ask('Debugger.resume');
  one.letGo();
  assert.equal(await held, true);
  void one.ask('Runtime.evaluate');
  two.letGo();
  await new Promise(setImmediate);
  assert.deepEqual(sent, ['one Debugger.resume', 'two Runtime.evaluate', 'two Debugger.enable', 'one Runtime.evaluate']);
});
