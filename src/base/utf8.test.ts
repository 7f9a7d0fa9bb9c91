import assert from 'node:assert/strict';
import { test } from 'node:test';
import { characterAt, charBytes, charUnits, putCharacter } from './utf8.js';

/** A text's bytes, put together from its characters. */
function encode(text: string): Buffer {
  const bytes = new Uint8Array(64);
  let at = 0;
  for (let i = 0; i < text.length; ) {
    const code = characterAt(text, i);
    const end = putCharacter(bytes, at, code);
    assert.equal(end - at, charBytes(code), `bytes of ${code}`);
    at = end;
    i += charUnits(code);
  }
  return Buffer.from(bytes.subarray(0, at));
}

test('the characters of a text become the bytes that Node makes of it', () => {
  for (const text of ['a\0\x7f', '\x80ß\u07ff', '\u0800€\uffff', '😀\u{10ffff}'])
    assert.deepEqual(encode(text), Buffer.from(text));
});

test('half of a pair becomes U+FFFD', () => {
  for (const text of ['\ud83d', '\ude00', '\ud83dx', 'x\ude00y', '\ude00\ud83d', '\ud83d😀']) {
    assert.deepEqual(encode(text), Buffer.from(text), JSON.stringify(text));
  }
});
