import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cutText, putAscii, putText, textBytes } from './text-bytes.js';

const TEXTS = ['', 'a', 'abcdefg', 'abcdefgh', 'aaaaaa€', 'aaaa€', 'grüße', '😀😀', 'ab\ud83d', 'x'.repeat(40)];
const SIZES = [1, 2, 3, 4, 5, 7, 8, 9, 16];

test('a field of a size holds the characters that leave room for a zero byte', () => {
  assert.equal(cutText('aaaaaa€', 8), 'aaaaaa');
  assert.equal(cutText('aaaa€', 8), 'aaaa€');
  assert.equal(cutText('😀😀', 8), '😀');
  assert.equal(cutText('abcdefg', 8), 'abcdefg');
  assert.equal(cutText('abcdefgh', 8), 'abcdefg');
});

test('what is stored is the UTF-8 of the cut text, and zeros', () => {
  for (const text of TEXTS) {
    for (const size of SIZES) {
      const bytes = new Uint8Array(24).fill(0xff);
      putText(bytes, 3, text, size);
      const expected = Buffer.alloc(size);
      expected.write(cutText(text, size));
      assert.deepEqual(Buffer.from(bytes.subarray(3, 3 + size)), expected, `${text} in ${size}`);
      assert.ok(bytes[2] === 0xff && bytes[3 + size] === 0xff, 'nothing beside it');
      assert.equal(textBytes(text, size - 1), Buffer.byteLength(cutText(text, size)), `bytes of ${text} in ${size}`);
    }
  }
});

test('ASCII is stored at any byte, and what is not ASCII is told', () => {
  for (const text of TEXTS) {
    for (const at of [0, 1, 2, 3, 4]) {
      const words = new Uint32Array(16).fill(0xffffffff);
      const bytes = new Uint8Array(words.buffer);
      const isAscii = Buffer.byteLength(text) === text.length;
      assert.equal(putAscii(bytes, words, at, text), isAscii, `${text} at ${at}`);
      if (!isAscii) continue;
      assert.equal(Buffer.from(bytes.subarray(at, at + text.length + 1)).toString(), `${text}\0`);
      assert.equal(bytes[at + text.length + 1], 0xff, 'nothing behind it');
    }
  }
});
