import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cpumaskText, isMasked, parseCpumask } from './cpumask.js';

test('a mask is shown with as many digits as there are cpus', () => {
  assert.equal(cpumaskText(undefined, 2), '3');
  assert.equal(cpumaskText(1n, 16), '0001');
  assert.equal(cpumaskText(undefined, 32), 'ffffffff');
  assert.equal(cpumaskText(undefined, 40), 'ff,ffffffff');
  assert.equal(cpumaskText(5n, 72), '00,00000000,00000005');
});

test('what was shown is taken back, and shorter forms of it', () => {
  for (const mask of [0n, 1n, (1n << 72n) - 1n]) assert.equal(parseCpumask(`${cpumaskText(mask, 72)}\n`, 72), mask);
  assert.equal(parseCpumask('1,00000000', 40), 1n << 32n);
  assert.equal(parseCpumask('F 0', 40), 0xfn << 32n);
  assert.equal(parseCpumask('\n', 2), 0n);
});

test('cpus that do not exist are EOVERFLOW, other characters EINVAL', () => {
  for (const text of ['4', 'ff', '0,1', '123456789']) assert.throws(() => parseCpumask(text, 2), { errno: 'EOVERFLOW' });
  for (const text of ['g', '0x1', '1-']) assert.throws(() => parseCpumask(text, 2), { errno: 'EINVAL' });
});

test('a cpu that comes later is masked by a mask that was written', () => {
  assert.equal(isMasked(undefined, 7), false);
  assert.equal(isMasked(3n, 1), false);
  assert.equal(isMasked(3n, 7), true);
});
