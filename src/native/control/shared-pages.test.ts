import assert from 'node:assert/strict';
import { fstatSync, readSync } from 'node:fs';
import { test } from 'node:test';
import { LocalProcess } from '../addon/local-process.js';
import { noTracing } from '../testing/programs.js';
import { SharedPages } from './shared-pages.js';

const PIECE = 65_536;
const START = 2 ** 40;

test('memory that a process shares is a file that both have mapped, and is given back to the system', { skip: noTracing }, () => {
  const local = new LocalProcess();
  const fd = local.memoryFile(new Uint8Array(2 * PIECE));
  const pages = new SharedPages(local, fd, { start: START, end: START + 2 * PIECE });
  const [first, second] = [pages.allocate(1), pages.allocate(PIECE)];
  assert.deepEqual([pages.addressOf(first), pages.addressOf(second)], [START, START + PIECE]);
  assert.throws(() => pages.allocate(1), { errno: 'ENOMEM' });
  new Uint8Array(second).fill(7);
  const bytes = new Uint8Array(3);
  readSync(fd, bytes, 0, 3, 2 * PIECE - 3);
  assert.deepEqual([...bytes], [7, 7, 7]);
  assert.notEqual(fstatSync(fd).blocks, 0);
  pages.empty();
  assert.equal(fstatSync(fd).blocks, 0);
  assert.ok(new Uint8Array(second).every((byte) => byte === 0));
  assert.equal(fstatSync(fd).size, 2 * PIECE);
});

test('the largest pieces are known of which so many fit', { skip: noTracing }, () => {
  const local = new LocalProcess();
  const fd = local.memoryFile(new Uint8Array(8 * PIECE));
  const pages = new SharedPages(local, fd, { start: START, end: START + 8 * PIECE });
  assert.deepEqual(
    [1, 2, 3, 8, 9].map((count) => pages.largestOf(count) / PIECE),
    [8, 4, 2, 1, 0],
  );
  const first = pages.allocate(3 * PIECE);
  assert.deepEqual(
    [1, 2, 5, 6].map((count) => pages.largestOf(count) / PIECE),
    [5, 2, 1, 0],
  );
  assert.equal(pages.addressOf(first), START);
});
