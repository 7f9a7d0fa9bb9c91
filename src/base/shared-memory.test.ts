import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { allocateShared, countShared } from './shared-memory.js';

const MEBIBYTE = 2 ** 20;
const MANY = 1000;

test('memory is counted once, however often a thread says that it holds it, and small memory not at all', () => {
  const external = (): number => process.memoryUsage().external;
  const memory = new SharedArrayBuffer(64 * MEBIBYTE);
  const before = external();
  assert.equal(countShared(memory), memory);
  countShared(memory);
  countShared(new SharedArrayBuffer(64));
  const counted = external() - before;
  assert.ok(counted > 32 * MEBIBYTE && counted < 96 * MEBIBYTE, `${counted} bytes`);
});

test('a thread that makes no other garbage is rid of shared memory that it let go of', async () => {
  let gone = 0;
  const registry = new FinalizationRegistry(() => gone++);
  let made = 0;
  for (; made < MANY && gone === 0; made++) {
    registry.register(allocateShared(4 * MEBIBYTE), undefined);
    await setImmediate();
  }
  assert.ok(made < MANY, `none of ${MANY} was gone`);
});
