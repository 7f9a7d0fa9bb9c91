import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeRequests, encodeRequests, eventPattern, eventWrites } from './event-request.js';

const EVENTS = ['sched:sched_switch', 'sched:sched_stat', 'shop:order', 'shop:shop'].map((text) => {
  const [system, name] = text.split(':') as [string, string];
  return { system, name };
});

const named: readonly (readonly [pattern: string, events: string])[] = [
  ['sched:sched_switch', 'sched_switch'],
  ['sched:*', 'sched_switch sched_stat'],
  ['sched:', 'sched_switch sched_stat'],
  [':order', 'order'],
  ['*:*', 'sched_switch sched_stat order shop'],
  ['shop', 'order shop'],
  ['*sta*', 'sched_stat'],
  ['sched', 'sched_switch sched_stat'],
  ['s*:s*_s*', 'sched_switch sched_stat'],
  ['orders', ''],
];

for (const [pattern, events] of named) {
  test(`${pattern} names ${events === '' ? 'no event' : events}`, () => {
    const is = eventPattern(pattern);
    assert.equal(
      EVENTS.filter(is)
        .map(({ name }) => name)
        .join(' '),
      events,
    );
  });
}

test('an event is filtered before it is switched on', () => {
  const request = { pattern: 'shop', enable: true, filter: 'id > 3', triggers: ['traceoff:1', 'stacktrace if id == 9'] };
  assert.deepEqual(
    eventWrites(request, { system: 'shop', name: 'order' }).map(({ path, text }) => `${text} >> ${path}`),
    [
      'id > 3 >> events/shop/order/filter',
      'traceoff:1 >> events/shop/order/trigger',
      'stacktrace if id == 9 >> events/shop/order/trigger',
      '1 >> events/shop/order/enable',
    ],
  );
  assert.deepEqual(eventWrites({ pattern: 'shop' }, { system: 'shop', name: 'order' }), []);
});

test('requests travel as one word', () => {
  const requests = [{ pattern: 'a:b', enable: false, filter: 'name ~ "c d*" && x == 1, "' }];
  const word = encodeRequests(requests);
  assert.doesNotMatch(word, /[\s,"]/);
  assert.deepEqual(decodeRequests(word), requests);
  for (const bad of ['', '%', '{}', '[1]', '[null]', '["a"]', '[{"pattern":1}]', '[{"pattern":"a","triggers":"b"}]']) {
    assert.equal(decodeRequests(bad), undefined, bad);
  }
});
