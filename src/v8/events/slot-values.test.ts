import assert from 'node:assert/strict';
import { test } from 'node:test';
import { printkText } from '../program/printk-text.js';
import { textOf } from './slot-values.js';

test('a bigint of millions of digits is not written out', () => {
  const huge = 1n << 100_000_000n;
  assert.equal(textOf(10n ** 40n), `1${'0'.repeat(40)}`);
  assert.equal(textOf(huge), '[bigint]');
  assert.equal(textOf(-huge), '[bigint]');
  assert.equal(printkText('%d %x %s', [huge, huge, -huge]), '[bigint] [bigint] [bigint]');
});
