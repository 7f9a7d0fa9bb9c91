import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseFilter } from './parse-filter.js';
import type { Predicate } from './predicate.js';
import { SAMPLE } from './testing/sample.js';

const predicates = (filter: string): Predicate[] => parseFilter(SAMPLE, filter).map(({ predicate }) => predicate);
const predicate = (filter: string): Predicate => predicates(filter)[0]!;

test('a field is found by its place in the declaration, before what all events have', () => {
  const operands = predicates('b == 1 && comm == "x" && COMM == "x" && cpu == 1 && common_pid == 1').map(
    (one) => one.test !== 'constant' && one.operand,
  );
  assert.deepEqual(operands, [
    { from: 'field', slot: 1, name: 'b' },
    { from: 'field', slot: 7, name: 'comm' },
    { from: 'comm' },
    { from: 'cpu' },
    { from: 'header', name: 'common_pid' },
  ]);
});

test('numbers are cut to the type of the field', () => {
  const values = (filter: string): unknown[] =>
    predicates(filter).map((one) => one.test === 'integer' && [one.type, one.operator, one.value]);
  assert.deepEqual(values('a < -0x10 && a != 0x1ffffffff && c == 300 && d >= 255'), [
    ['s32', '<', -16],
    ['s32', '!=', -1],
    ['u8', '==', 44],
    ['s8', '>=', -1],
  ]);
  assert.deepEqual(values('b > 0x20000000000000 && b & 017 && e == -9223372036854775808 && at == 0xffffffff81000000'), [
    ['u64', '>', 2n ** 53n],
    ['u64', '&', 15],
    ['s64', '==', -(2n ** 63n)],
    ['address', '==', -0x7f000000],
  ]);
});

test('an array of at most 8 bytes is one integer, others are equal to nothing', () => {
  const ip4 = { from: 'field', slot: 11, name: 'ip4' } as const;
  const one = predicate('ip4 == 0x0100007f');
  assert.deepEqual(one, { test: 'integer', operand: ip4, operator: '==', type: 'u32', value: 0x0100007f, elements: 8 });
  for (const never of ['triple == 0', 'list != 7', 'CPU & 1'])
    assert.deepEqual(predicate(never), { test: 'constant', value: false });
});

test('what a text is compared with says how', () => {
  const matches = (filter: string): unknown[] =>
    predicates(filter).map((one) => one.test === 'text' && [one.match, one.text, one.not]);
  assert.deepEqual(matches('name == "a*" && name != "b" && name ~ "c*" && name ~ "*d" && name ~ "*e*" && name ~ "!f"'), [
    ['full', 'a*', false],
    ['full', 'b', true],
    ['front', 'c', false],
    ['end', 'd', false],
    ['middle', 'e', false],
    ['full', 'f', true],
  ]);
  assert.deepEqual(matches(`name ~ "a*b" && name ~ "?" && name ~ "[a-c]*" && name ~ "1*" && name == 'a"b'`), [
    ['glob', 'a*b', false],
    ['glob', '?', false],
    ['glob', '[a-c]*', false],
    ['full', '1*', false],
    ['full', 'a"b', false],
  ]);
});

test('a text that a record cannot hold is equal to nothing', () => {
  const fifteen = 'x'.repeat(15);
  assert.deepEqual(predicate(`comm == "${fifteen}x"`), { test: 'constant', value: false });
  assert.deepEqual(predicate(`comm != "äöüäöüäö"`), { test: 'constant', value: true });
  assert.equal(predicate(`comm == "${fifteen}"`).test, 'text');
  assert.deepEqual(predicate(`comm ~ "*${fifteen}x*"`), { test: 'constant', value: false });
});
