import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventNameOf, freeName, parsePerfDefinition } from './perf-definition.js';

test('a definition may name its event, and its group', () => {
  assert.deepEqual(parsePerfDefinition('sum'), { group: undefined, event: undefined, place: 'sum', args: [] });
  assert.deepEqual(parsePerfDefinition('begin=sum:3 total  x=one'), {
    group: undefined,
    event: 'begin',
    place: 'sum:3',
    args: ['total', 'x=one'],
  });
  assert.deepEqual(parsePerfDefinition('shop:begin=src/shop.ts:12'), {
    group: 'shop',
    event: 'begin',
    place: 'src/shop.ts:12',
    args: [],
  });
  assert.equal(parsePerfDefinition('express:handle').place, 'express:handle');
  assert.throws(() => parsePerfDefinition('  '), /names a place/);
});

test('an event without a name has that of its function', () => {
  assert.equal(eventNameOf('sum', 'sum'), 'sum');
  assert.equal(eventNameOf('sum', 'sum:0'), 'sum');
  assert.equal(eventNameOf('sum', 'shop.ts:12'), 'sum_L12');
  assert.equal(eventNameOf('Shop.get.total@3', 'Shop.get.total@3%return'), 'Shop_get_total_3__return');
  assert.equal(eventNameOf('x'.repeat(80), 'x:3').length, 58);
});

test('a name that is taken gets a number', () => {
  assert.equal(
    freeName('sum', (name) => ['sum', 'sum_1'].includes(name)),
    'sum_2',
  );
});
