import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PageCursor } from './decode.js';
import { MISSED_EVENTS, MISSED_STORED } from './event-word.js';

const HEADER = 4;

/** A page of the words given, behind the header. */
function makePage(ts: number, words: readonly number[], flags = 0, behind: readonly number[] = []): Uint32Array {
  const page = new Uint32Array(1024);
  page.set([ts, 0, flags + words.length * 4, 0, ...words, ...behind]);
  return page;
}

/** Time, first word and length of each event. */
function decode(page: Uint32Array): number[][] {
  const cursor = new PageCursor().open(page, 0);
  const events: number[][] = [];
  while (cursor.next()) events.push([cursor.ts, page[cursor.payload >> 2]!, cursor.length]);
  return events;
}

test('events of both lengths come with their times', () => {
  const page = makePage(100, [1, 0xa, 2 | (5 << 5), 0xb, 0, 7 << 5, 12, 0xc, 0]);
  assert.deepEqual(decode(page), [
    [100, 0xa, 4],
    [105, 0xb, 8],
    [112, 0xc, 8],
  ]);
});

test('time extends add up, time stamps are absolute, padding is passed over', () => {
  const page = makePage(100, [30 | (1 << 5), 2, 1, 0xa, 29 | (1 << 5), 4, 31 | (9 << 5), 3, 1 | (1 << 5), 0xb]);
  assert.deepEqual(decode(page), [
    [101 + 2 * 2 ** 27, 0xa, 4],
    [10 + 3 * 2 ** 27, 0xb, 4],
  ]);
});

test('padding without a length ends the page', () => {
  assert.deepEqual(decode(makePage(100, [1, 0xa, 29, 1, 0xb])), [[100, 0xa, 4]]);
});

test('a page tells how many events were lost before it, or only that some were', () => {
  const missed = (page: Uint32Array) => new PageCursor().open(page, 0).missed;
  assert.equal(missed(makePage(0, [1, 0])), 0);
  assert.equal(missed(makePage(0, [1, 0], MISSED_EVENTS)), -1);
  assert.equal(missed(makePage(0, [1, 0], MISSED_EVENTS + MISSED_STORED, [7, 1])), 7 + 2 ** 32);
});

test('any words at all come to an end', () => {
  const page = new Uint32Array(1024);
  for (let seed = 1; seed < 200; seed++) {
    for (let i = HEADER; i < page.length; i++) page[i] = Math.imul(seed * i, 0x9e3779b1) >>> (seed % 32);
    page[2] = 4080;
    assert.ok(decode(page).length <= 1020);
  }
});
