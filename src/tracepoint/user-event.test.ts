import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseUserEvent, registerUserEvent } from './user-event.js';

const fieldsOf = (description: string): readonly string[] =>
  Object.entries(parseUserEvent(description).fields).map(
    ([name, { type, shape, count }]) => `${name}: ${type} ${shape} ${count}`,
  );

test('a description is a name and fields, as for the kernel’s user_events', () => {
  assert.deepEqual(fieldsOf('test u32 count; char[20] msg'), ['count: u32 one 1', 'msg: char array 20']);
  assert.deepEqual(fieldsOf('test unsigned int a;__data_loc char[] text;;s8 b;'), [
    'a: unsigned int one 1',
    'text: char dynamic 0',
    'b: s8 one 1',
  ]);
  assert.deepEqual(fieldsOf('alone'), []);
  assert.deepEqual(fieldsOf('flags:some,more u64 a'), ['a: u64 one 1']);
  assert.equal(
    parseUserEvent('test u32 count; char[20] msg; __data_loc char[] text').print,
    '"count=%u msg=%s text=%s", REC->count, REC->msg, __get_str(text)',
  );
});

test('what is no description is refused', () => {
  const refused = [
    '',
    ':flag u32 a',
    'a-b u32 a',
    'test u32',
    'test long a',
    'test bool a',
    'test u32 a b',
    'test u32 a ;u32 b',
    'test u32  a',
    'test u32 a; u64 a',
    'test char[] a',
    'test char[0] a',
    'test char[1025] a',
    'test struct my_type a',
    'test u32 a-b',
    'test constructor a',
  ];
  for (const description of refused) assert.throws(() => parseUserEvent(description), { code: 'EINVAL' }, description);
});

test('probes get the values, and the same description is the same event', () => {
  const order = registerUserEvent('unit_order u32 id; char[8] customer');
  const seen: unknown[][] = [];
  assert.equal(order.enabled(), false);
  const probe = (...values: unknown[]): void => void seen.push(values.slice(0, 2));
  order.registerProbe(probe);
  order(7, 'Ann');
  order.unregisterProbe(probe);
  order(8, 'Bob');
  assert.deepEqual(seen, [[7, 'Ann']]);
  assert.equal(registerUserEvent('unit_order u32 id;char[8] customer'), order);
  assert.throws(() => registerUserEvent('unit_order u32 id'), { code: 'EADDRINUSE' });
});
