import assert from 'node:assert/strict';
import { test } from 'node:test';
import { putText, textOf } from './map-text.js';
import { putTextKey } from './map-update.js';

const TEXTS = ['', 'a', 'abcd', 'abcde', 'übung', 'naïve 你好', '😀 x', 'abc\ud800', 'a'.repeat(300)];

test('a text is written as Node’s own UTF-8, cut where a character ends', () => {
  for (const text of TEXTS) {
    for (const room of [0, 1, 2, 3, 4, 5, 7, 8, 255]) {
      const bytes = new Uint8Array(300);
      const length = putText(bytes, 0, room, text);
      const whole = Buffer.from(text);
      const shown = textOf(bytes, 0, 256);
      assert.ok(length <= room && whole.subarray(0, length).equals(bytes.subarray(0, length)), `${text} in ${room}`);
      assert.ok(whole.toString().startsWith(shown), `${text} in ${room} is ${shown}`);
      assert.ok(length > room - 4 || length === whole.length, `${text} fills ${room}`);
    }
  }
});

test('a text ends at a zero byte', () => {
  const bytes = new Uint8Array(16);
  assert.equal(putText(bytes, 0, 15, 'ab\0cd'), 2);
});

test('a key has the bytes of its text, and zero behind it, whatever was there before', () => {
  const key = new Int32Array(64);
  const bytes = new Uint8Array(key.buffer);
  let taken = 0;
  for (const text of [...TEXTS, ...TEXTS.toReversed(), 'ab\0cd', 'abcdef\0']) {
    taken = putTextKey(key, bytes, 0, 255, text, taken);
    const whole = Buffer.from(text.split('\0')[0]!).subarray(0, 255);
    assert.deepEqual(Buffer.from(bytes), Buffer.concat([whole, Buffer.alloc(256 - whole.length)]), text);
    assert.equal(taken, Math.ceil(whole.length / 4));
  }
});
