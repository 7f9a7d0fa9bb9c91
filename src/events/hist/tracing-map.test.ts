import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { addToSum, hashOf, insert, openMap, putKey } from './map-update.js';
import { createMap, readMap } from './tracing-map.js';

const SHAPE = { bits: 7, keyWords: 2, sums: 2, variables: 0, texts: 0, hasComm: false };

/** Adds to the table in a loop, in a thread of its own. */
const ADD = `
const { workerData: { memory, url, rounds } } = require('node:worker_threads');
import(url).then(({ addToSum, hashOf, insert, openMap, putKey }) => {
  const map = openMap(memory);
  const key = new Int32Array(2);
  for (let i = 0; i < rounds; i++) {
    putKey(key, 0, i % 100);
    const at = insert(map, hashOf(key, 2), key, 2, '');
    addToSum(map.words, at + map.sumsAt, 1, 0);
    addToSum(map.words, at + map.sumsAt + 2, -1, 0);
  }
});`;

test('threads that add to one table lose nothing, and add no key twice', async () => {
  const memory = createMap(SHAPE);
  const url = new URL('map-update.js', import.meta.url).href;
  const rounds = 20_000;
  const ends = Array.from({ length: 3 }, () => {
    const worker = new Worker(ADD, { eval: true, workerData: { memory, url, rounds } });
    return new Promise((resolve, reject) => worker.on('error', reject).on('exit', resolve));
  });
  await Promise.all(ends);
  const { entries, drops } = readMap(memory);
  assert.equal(entries.length, 100);
  assert.equal(drops, 0n);
  for (const entry of entries) {
    assert.equal(entry.sum(0), 600n);
    assert.equal(entry.sum(1), 600n * 0xffffffffn, 'with the carry into the high word');
  }
});

test('a sum wraps at 64 bits', () => {
  const memory = createMap(SHAPE);
  const map = openMap(memory);
  const key = new Int32Array(2);
  putKey(key, 0, -1);
  const at = insert(map, hashOf(key, 2), key, 2, '') + map.sumsAt;
  addToSum(map.words, at, -1, -1);
  assert.equal(readMap(memory).entries[0]!.sum(0), 2n ** 64n - 1n);
  addToSum(map.words, at, 3, 0);
  assert.equal(readMap(memory).entries[0]!.sum(0), 2n);
});
