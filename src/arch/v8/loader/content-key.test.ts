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
