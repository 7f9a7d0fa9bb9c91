import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EVENT_OPTIONS, eventRequests } from './event-options.js';

const asked = (...args: string[]) => eventRequests(args, EVENT_OPTIONS);

test('a filter and triggers belong to the event before them', () => {
  assert.deepEqual(asked('-e', 'shop', '-e', 'gc:gc', '-f', 'kind == 1', '-R', 'stacktrace', '-R', 'traceoff:1'), [
    { pattern: 'shop', enable: true, triggers: [] },
    { pattern: 'gc:gc', enable: true, filter: 'kind == 1', triggers: ['stacktrace', 'traceoff:1'] },
  ]);
});

test('events behind -v are left out, and all means all', () => {
  assert.deepEqual(asked('-eall', '-v', '--event=*stat*'), [
    { pattern: '*:*', enable: true, triggers: [] },
    { pattern: '*stat*', enable: false, triggers: [] },
  ]);
  assert.deepEqual(asked(), []);
});

test('a filter without an event is refused', () => {
  assert.throws(() => asked('-f', 'id > 2', '-e', 'shop'), /-f 'id > 2' belongs behind an event: -e EVENT -f/);
  assert.throws(() => asked('--trigger', 'traceoff'), /--trigger 'traceoff' belongs behind an event/);
});

test('a trigger that begins with its event is refused with the words that would do', () => {
  assert.throws(
    () => asked('-e', 'fs', '-R', 'fs/op_start hist:keys=op,path'),
    /-R takes the trigger alone, its event stands before it: -e fs\/op_start -R 'hist:keys=op,path'$/,
  );
  for (const trigger of ['traceoff:2 if id == 0', 'enable_event:gc:gc if fd > 2', 'hist:keys=fd if op == "read"'])
    assert.deepEqual(asked('-e', 'fs', '-R', trigger)[0]?.triggers, [trigger]);
});
