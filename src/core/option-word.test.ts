import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseOptionWord } from './option-word.js';

test('a word turns an option on, or with `no` before it off', () => {
  assert.deepEqual(parseOptionWord('func-args'), { path: 'options/func-args', value: '1' });
  assert.deepEqual(parseOptionWord('nofuncgraph-irqs'), { path: 'options/funcgraph-irqs', value: '0' });
});

test('an unknown option is EINVAL', () => {
  assert.throws(() => parseOptionWord('nonsense'), { errno: 'EINVAL', message: 'there is no trace option nonsense' });
});
