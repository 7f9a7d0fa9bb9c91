import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeRequests, encodeRequests, eventPattern, eventWrites, requestedEvents } from './event-request.js';
import { eventSwitchOf } from './set-event-word.js';

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

/** Words that name `kmem:kmalloc`, and whether they enable `kmem:heap_sample` too, which costs much. */
const costly: readonly (readonly [word: string, isMeant: boolean])[] = [
  ['kmem', false],
  ['*:*', false],
  ['kmem:*', false],
  ['kmem:', false],
  ['kmem:heap_sample', true],
  ['heap_sample', true],
  [':heap_sample', true],
];

for (const [word, isMeant] of costly) {
  test(`${word} ${isMeant ? 'enables' : 'does not enable'} an event that costs much, and disables it`, () => {
    const heapSample = { system: 'kmem', name: 'heap_sample' };
    const written = (text: string): boolean => eventSwitchOf(text, [heapSample]).events.length > 0;
    const requested = (enable: boolean): boolean => requestedEvents({ pattern: word, enable })(heapSample);
    assert.deepEqual([written(word), written(`!${word}`)], [isMeant, true]);
    assert.deepEqual([requested(true), requested(false)], [isMeant, true]);
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
