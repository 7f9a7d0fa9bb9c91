import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countedBy, since, sumOf } from './counted.js';

test('a word with :mod: is of functions, any other may be an event', () => {
  const requests = [{ pattern: 'gc:gc', filter: 'duration > 5' }, { pattern: 'handle*' }, { pattern: '*:mod:express' }];
  assert.deepEqual(countedBy(requests, ['area', '*:mod:express']), {
    events: [{ pattern: 'gc:gc', filter: 'duration > 5' }, { pattern: 'handle*' }],
    functions: ['*:mod:express', 'area'],
  });
});

test('calls have no fields to filter by', () => {
  assert.throws(
    () => countedBy([{ pattern: '*:mod:express', filter: 'x > 1' }]),
    /-f 'x > 1': the calls of functions have no fields/,
  );
});

test('without a word, what Node does is counted', () => {
  assert.ok(countedBy([]).events.some(({ pattern }) => pattern === 'http:server_request_start'));
  assert.deepEqual(countedBy([], ['area']).events, []);
});

test('counts of several processes are added up, and earlier ones subtracted', () => {
  const sum = sumOf([
    [{ name: 'gc:gc', count: 2 }],
    [
      { name: 'area', count: 5 },
      { name: 'gc:gc', count: 3 },
    ],
  ]);
  assert.deepEqual(sum, [
    { name: 'gc:gc', count: 5 },
    { name: 'area', count: 5 },
  ]);
  assert.deepEqual(since(sum, [{ name: 'gc:gc', count: 2 }]), [
    { name: 'gc:gc', count: 3 },
    { name: 'area', count: 5 },
  ]);
});
