import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keyOfBytes, keyOfText, keyToHex } from './content-key.js';

test('the same text has the same key, in any order of asking', () => {
  const long = 'x'.repeat(3_000_000);
  const first = keyToHex(keyOfText('let a = 1;', 1));
  keyOfText(long, 1);
  assert.equal(keyToHex(keyOfText('let a = 1;', 1)), first);
  assert.match(first, /^[0-9a-f]{32}$/);
});

test('any changed character, any added one and the way of parsing change the key', () => {
  const source = 'function f(){ return 1 }\n'.repeat(40);
  const keys = new Set([keyToHex(keyOfText(source, 1)), keyToHex(keyOfText(source, 2))]);
  for (let i = 0; i < source.length; i++) keys.add(keyToHex(keyOfText(`${source.slice(0, i)}#${source.slice(i + 1)}`, 1)));
  for (const tail of ['\0', '\0\0', ' ', '\n']) keys.add(keyToHex(keyOfText(source + tail, 1)));
  assert.equal(keys.size, 2 + source.length + 4);
});

test('texts beyond Latin-1 and ASCII have different keys', () => {
  const texts = ['é', 'e', 'Ã©', '\u0131', '1', '日本', '日木', '😀', '😁', ''];
  assert.equal(new Set(texts.map((text) => keyToHex(keyOfText(text, 1)))).size, texts.length);
});

test('bytes have keys at any alignment', () => {
  const memory = new Uint8Array(64).map((_, i) => i);
  const copy = memory.slice(3, 40);
  assert.deepEqual(keyOfBytes(memory.subarray(3, 40)), keyOfBytes(copy));
  copy[36] = 0;
  assert.notDeepEqual(keyOfBytes(memory.subarray(3, 40)), keyOfBytes(copy));
});

test('texts and bytes that end anywhere in a block or a piece have keys of their own', () => {
  const lengths = [0, 1, 15, 16, 17, 32_767, 32_768, 32_769, 65_537];
  const texts = lengths.map((length) => keyToHex(keyOfText('a'.repeat(length), 1)));
  const wide = lengths.map((length) => keyToHex(keyOfText('а'.repeat(length), 1)));
  const bytes = lengths.map((length) => keyToHex(keyOfBytes(new Uint8Array(length).fill(97), 1)));
  assert.deepEqual(bytes, texts);
  assert.equal(new Set([...texts, ...wide]).size, 2 * lengths.length - 1);
  // What was hashed before leaves nothing behind.
  keyOfText('b'.repeat(70_000), 1);
  assert.deepEqual(
    lengths.map((length) => keyToHex(keyOfText('a'.repeat(length), 1))),
    texts,
  );
});
