import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noGain } from './measure-gain.js';

test('the counter is read in place of a clock if it takes four fifths of its time at most', () => {
  assert.equal(noGain(10, 35), undefined);
  assert.equal(noGain(28, 35), undefined);
  assert.equal(noGain(29, 35), "a read of the processor's counter takes 29 ns, and one of Node's clock 35 ns");
});
