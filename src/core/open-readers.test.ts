import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OpenReaders } from './open-readers.js';

test('who reads one cpu reads any of them, and no other one', () => {
  const readers = new OpenReaders();
  const close = readers.open(1);
  assert.deepEqual([readers.reads(), readers.reads(0), readers.reads(1)], [true, false, true]);
  close();
  assert.equal(readers.reads(), false);
});

test('who reads all cpus reads each, until the last has closed it', () => {
  const readers = new OpenReaders();
  const closes = [readers.open(), readers.open()];
  closes[0]!();
  assert.deepEqual([readers.reads(), readers.reads(0)], [true, true]);
  closes[1]!();
  assert.equal(readers.reads(0), false);
});
