import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeEntry, encodeEntry } from './entry-codec.js';

const entry = {
  prefix: '$f$$',
  sourceMappingURL: 'app.js.map',
  functionCount: 3,
  firstFunction: 70_000,
  mayImport: true,
  mentions: 7,
  edits: Uint8Array.from([1, 2, 3, 4, 5]),
  functions: Uint8Array.from([9, 8, 7]),
};

test('an entry is read unchanged', () => {
  assert.deepEqual(decodeEntry(encodeEntry(entry)), entry);
});

test('what the parser said of a source that it could not read is kept', () => {
  const unparsed = { ...entry, functionCount: 0, unparsed: { unparsed: 'Unexpected token', line: 3, column: 7 } };
  assert.deepEqual(decodeEntry(encodeEntry(unparsed)), unparsed);
});

test('the function table is the reader’s to transfer', () => {
  const read = decodeEntry(encodeEntry(entry));
  assert.equal(read?.functions.buffer.byteLength, entry.functions.length);
});

test('bytes whose parts do not add up are no entry', () => {
  const bytes = encodeEntry(entry);
  assert.equal(decodeEntry(bytes.slice(0, -4)), undefined);
  assert.equal(decodeEntry(bytes.slice(0, 8)), undefined);
  bytes[4] = 200;
  assert.equal(decodeEntry(bytes), undefined);
});
