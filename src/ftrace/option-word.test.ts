import assert from 'node:assert/strict';
import { test } from 'node:test';
import { optionWrite, parseOptionWord } from './option-word.js';

test('a word turns an option on, or with `no` before it off', () => {
  assert.deepEqual(parseOptionWord('func-args'), { name: 'func-args', on: true });
  assert.deepEqual(parseOptionWord('nofuncgraph-irqs'), { name: 'funcgraph-irqs', on: false });
  assert.equal(parseOptionWord('nonsense'), undefined);
});

test('it is written to the option’s own file', () => {
  assert.deepEqual(optionWrite('func-args'), { path: 'options/func-args', text: '1' });
  assert.deepEqual(optionWrite('nofuncgraph-irqs'), { path: 'options/funcgraph-irqs', text: '0' });
  assert.throws(() => optionWrite('nonsense'), { errno: 'EINVAL', message: 'there is no trace option nonsense' });
});
