import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OpenReaders } from './open-count.js';

test('a reader of one cpu does not read the others', () => {
  const readers = new OpenReaders();
  const close = readers.open(1);
  assert.deepEqual([readers.reads(), readers.reads(0), readers.reads(1)], [true, false, true]);
  close();
  assert.equal(readers.reads(), false);
});

test('a reader of all cpus reads each, until the last one has closed', () => {
  const readers = new OpenReaders();
  const closes = [readers.open(), readers.open()];
  closes[0]!();
  assert.deepEqual([readers.reads(), readers.reads(0)], [true, true]);
  closes[1]!();
  assert.equal(readers.reads(0), false);
});
