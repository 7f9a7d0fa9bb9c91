import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CommandWord, type ProbeEvent, parseCommandWord } from './command-word.js';

const SWITCH: ProbeEvent = { system: 'sched', name: 'sched_switch', index: 3 };
const findEvent = (system: string, name: string): ProbeEvent | undefined =>
  system === SWITCH.system && name === SWITCH.name ? SWITCH : undefined;
const parsed = (text: string): CommandWord | undefined => parseCommandWord(text, findEvent);

test('a plain word and one of a module are no commands', () => {
  for (const text of ['handle', '!handle', 'h*:mod:express', ':mod:express']) assert.equal(parsed(text), undefined, text);
});

test('a command has a function, a name and maybe a count', () => {
  assert.deepEqual(parsed('h*:traceoff'), { not: false, pattern: 'h*', command: 'traceoff', text: 'h*:traceoff' });
  assert.equal(parsed('f:traceon:5')?.count, 5n);
  assert.equal(parsed('f:snapshot:0x10:more')?.count, 16n);
  assert.equal(parsed('f:stacktrace:010')?.count, 8n);
  assert.equal(parsed('f:traceoff:')?.count, -1n);
  assert.equal(parsed('7:traceoff')?.index, 7);
});

test('dump fires once, whatever is asked for; cpudump always', () => {
  for (const text of ['f:dump', 'f:dump:3', 'f:dump:abc']) assert.equal(parsed(text)?.count, 1n, text);
  for (const text of ['f:cpudump', 'f:cpudump:3']) assert.equal(parsed(text)?.count, undefined, text);
});

test('removing a command needs no correct count', () => {
  assert.deepEqual([parsed('!f:traceoff')?.count, parsed('!f:traceoff:abc')?.count], [undefined, -1n]);
  assert.equal(parsed('!7:traceoff')?.index, undefined);
});

test('an event must be there', () => {
  assert.equal(parsed('f:enable_event:sched:sched_switch')?.event, SWITCH);
  assert.equal(parsed('f:disable_event:sched:sched_switch:2')?.count, 2n);
  for (const rest of ['', ':', ':sched', ':sched:', ':no:no', ':sched:no', ':sched:sched_switch:', ':sched:sched_switch:x']) {
    assert.throws(() => parsed(`f:enable_event${rest}`), { errno: 'EINVAL' }, rest);
  }
  assert.throws(() => parsed('!f:enable_event:no:no'), { errno: 'EINVAL' });
});

test('an invalid command or count is refused', () => {
  for (const text of ['f:nosuch', 'f:', '!f:nosuch', 'f:toString', 'f:traceoff:abc', 'f:traceoff:-1']) {
    assert.throws(() => parsed(text), { errno: 'EINVAL' }, text);
  }
  assert.throws(() => parsed('f:traceoff:99999999999999999999'), { errno: 'ERANGE' });
});
