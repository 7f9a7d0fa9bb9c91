import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Trigger } from './parse-trigger.js';
import { addTrigger, triggerLine, triggerToRemove } from './trigger-list.js';

const traceoff: Trigger = { name: 'traceoff', count: 3 };
const waking: Trigger = { name: 'enable_event', count: -1, target: { system: 'sched', event: 'sched_waking' } };

test('the newest trigger is the first', () => {
  const triggers = addTrigger(addTrigger([], traceoff), waking);
  assert.equal(triggers.map((one) => triggerLine(one)).join(''), 'enable_event:sched:sched_waking:unlimited\ntraceoff:count=3\n');
  assert.equal(triggerLine(traceoff, 0), 'traceoff:count=0\n');
});

test('there is one of a type, and one for an event that it names', () => {
  assert.throws(() => addTrigger([traceoff], { name: 'traceon', count: -1 }), { errno: 'EEXIST' });
  assert.throws(() => addTrigger([waking], { ...waking, name: 'disable_event' }), { errno: 'EEXIST' });
  assert.equal(addTrigger([waking], { ...waking, target: { system: 'sched', event: 'sched_switch' } }).length, 2);
  assert.equal(addTrigger([waking], { ...waking, name: 'enable_hist' }).length, 2);
});

test('a trigger is removed by its type', () => {
  assert.equal(triggerToRemove([waking, traceoff], { name: 'traceon' }), traceoff);
  assert.equal(triggerToRemove([waking], { name: 'stacktrace' }), undefined);
});
