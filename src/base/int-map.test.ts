import assert from 'node:assert/strict';
import { test } from 'node:test';
import { IntMap } from './int-map.js';

test('it does what a Map does, however it grows', () => {
  const map = new IntMap();
  const model = new Map<number, number>();
  let seed = 1;
  const random = (limit: number): number => {
    seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
    return Math.floor((seed / 2 ** 32) * limit);
  };
  for (let i = 0; i < 20_000; i++) {
    const key = random(500) * 64;
    const value = random(3) === 0 ? 0 : random(1 << 20);
    map.set(key, value);
    if (value === 0) model.delete(key);
    else model.set(key, value);
  }
  assert.equal(map.size, model.size);
  for (let key = 0; key < 500 * 64; key += 32) assert.equal(map.get(key), model.get(key) ?? 0);
  assert.deepEqual(map.keysWith(-1).sort(), [...model.keys()].sort());
});

test('bits are removed from all values, and with the last bit the key', () => {
  const map = new IntMap();
  map.set(1, 0b01);
  map.set(2, 0b11);
  map.set(3, 0b10);
  map.clearBits(0b01);
  assert.deepEqual([map.size, map.get(1), map.get(2), map.get(3)], [2, 0, 2, 2]);
  assert.deepEqual(map.keysWith(0b10).sort(), [2, 3]);
});
