import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defineEvent, type EventDefinition } from './define.js';
import { one } from './fields.js';
import { FTRACE_EVENTS } from './ftrace-events.js';
import { EventRegistry } from './registry.js';

const sample = (name: string, system = 'test'): EventDefinition =>
  defineEvent(system, name, { fields: { n: one('int') }, print: '"n=%d", REC->n' });

test('the events of group ftrace are there, with the ids that they always have', () => {
  const events = new EventRegistry();
  assert.deepEqual([...events.systems()], [['ftrace', Object.values(FTRACE_EVENTS)]]);
  assert.equal(events.get(1), FTRACE_EVENTS.function);
  assert.equal(events.find('ftrace', 'print'), FTRACE_EVENTS.print);
  assert.equal(events.get(20), undefined);
});

test('events that come get new ids, and take theirs along when they go', () => {
  const events = new EventRegistry();
  const a = events.register(sample('a'));
  const b = events.register(sample('b'));
  assert.deepEqual([a.id, b.id], [20, 21]);
  events.unregister(a);
  assert.equal(events.get(a.id), undefined);
  assert.equal(events.find('test', 'a'), undefined);
  assert.equal(events.register(sample('a')).id, 22);
  assert.deepEqual(
    events
      .systems()
      .get('test')
      ?.map(({ name }) => name),
    ['b', 'a'],
  );
});

test('ids are given again when there are no new ones', () => {
  const events = new EventRegistry(undefined, 22);
  const [a, b] = ['a', 'b', 'c'].map((name) => events.register(sample(name)));
  assert.throws(() => events.register(sample('d')), { errno: 'ENODEV' });
  events.unregister(b!);
  events.unregister(a!);
  assert.deepEqual([events.register(sample('d')).id, events.register(sample('e')).id], [20, 21]);
});

test('a name is free once in each system', () => {
  const events = new EventRegistry();
  events.register(sample('print'));
  assert.throws(() => events.register(sample('print')), { errno: 'EEXIST' });
  assert.throws(() => events.register(sample('print', 'ftrace')), { errno: 'EEXIST' });
});

test('an open event is replaced by one with fields, which has another id', () => {
  const registry = new EventRegistry();
  const open = registry.register({ ...defineEvent('app', 'order', { fields: {}, print: '""' }), isOpen: true });
  const replaced: unknown[] = [];
  registry.watch({ uses: () => true, gone: () => assert.fail(), replaced: (event, by) => replaced.push(event, by) });
  const event = registry.replace(open, defineEvent('app', 'order', { fields: { id: one('s64') }, print: '"id=%lld", REC->id' }));
  assert.notEqual(event.id, open.id);
  assert.equal(registry.get(open.id), undefined);
  assert.equal(registry.find('app', 'order'), event);
  assert.deepEqual(replaced, [open, event]);
});
