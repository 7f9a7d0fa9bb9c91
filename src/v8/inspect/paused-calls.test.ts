import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InspectorThread } from './inspector-thread.js';
import { pausedStack } from './paused-calls.js';

test('of a thread that does not pause nothing is evaluated until the pause is withdrawn', async () => {
  const sent: string[] = [];
  const session: InspectorThread = new InspectorThread((text) => {
    const { id, method } = JSON.parse(text) as { readonly id: number; readonly method: string };
    sent.push(method);
    queueMicrotask(() => session.received(JSON.stringify({ id, result: {} })));
  });
  const request = { withLocals: false, areInstrumented: false };
  const over = new Promise<void>((resolve) => setTimeout(resolve, 10));
  assert.equal(await pausedStack(session, { ...request, over }), undefined);
  const behind = sent.slice(sent.indexOf('Debugger.pause') + 1);
  assert.equal(behind[0], 'Debugger.disable');
  assert.equal(sent.indexOf('Runtime.evaluate') < sent.indexOf('Debugger.enable'), true, 'what was left of a pause has gone');
  assert.equal(await session.hold(new Promise(() => {})), true, 'others may go on');
});
