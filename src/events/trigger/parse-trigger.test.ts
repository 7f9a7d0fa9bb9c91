import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SAMPLE } from '../filter/testing/sample.js';
import { parseTrigger } from './parse-trigger.js';

const scope = {
  event: SAMPLE,
  hasEvent: ({ system, event }: { system: string; event: string }) => `${system}:${event}` === 'sched:switch',
};
const parse = (text: string) => parseTrigger(text, scope);

test('a trigger is its name, what it switches, how often, and if what', () => {
  assert.deepEqual(parse('traceoff\n'), { action: 'add', trigger: { name: 'traceoff', count: -1 } });
  const target = { system: 'sched', event: 'switch' };
  assert.deepEqual(parse('enable_event:sched:switch:0x10'), {
    action: 'add',
    trigger: { name: 'enable_event', target, count: 16 },
  });
  const written = parse('stacktrace:5 if c >= 2 && a < 3');
  assert.ok(written.action === 'add');
  assert.equal(written.trigger.count, 5);
  assert.equal(written.trigger.filter?.text, 'c >= 2 && a < 3');
  assert.equal(written.trigger.filter?.program.length, 2);
});

test('a removal says only what it removes', () => {
  assert.deepEqual(parse('!traceon:7 if nonsense'), { action: 'remove', name: 'traceon' });
  const target = { system: 'sched', event: 'switch' };
  assert.deepEqual(parse('!disable_event:sched:switch'), { action: 'remove', name: 'disable_event', target });
});

test('what stands behind hist goes to histograms as it is', () => {
  assert.deepEqual(parse(' hist:keys=a:vals=b if c > 1 \n'), { action: 'add-hist', params: 'keys=a:vals=b if c > 1' });
  assert.deepEqual(parse('!hist:keys=a'), { action: 'remove-hist', params: 'keys=a' });
  assert.deepEqual(parse('hist'), { action: 'add-hist' });
});

test('a refusal says what is missing', () => {
  assert.throws(() => parse('traceofff'), { errno: 'EINVAL', message: 'no such trigger' });
  assert.throws(() => parse('enable_event:sched'), { errno: 'EINVAL', message: 'the trigger needs :SYSTEM:EVENT' });
  assert.throws(() => parse('enable_event:sched:wake'), { errno: 'EINVAL', message: 'no such event' });
  assert.throws(() => parse('traceoff c > 1'), { errno: 'EINVAL', message: 'what follows a trigger is "if" and a filter' });
  assert.throws(() => parse('traceoff if (c > 1'), { errno: 'ENOENT', message: "Too many '('" });
  assert.throws(() => parse('traceoff:99999999999999999999'), { errno: 'ERANGE' });
});
