import assert from 'node:assert/strict';
import { test } from 'node:test';
import { argumentsBytes, resultBytes, writeArguments, writeResult } from './appended.js';
import { plainRender } from './testing/plain-render.js';

const OLD = 0xee;

/** Bytes in which an older event stands, in memory like a ring's. */
const used = (size: number): Uint8Array => new Uint8Array(new SharedArrayBuffer(size)).fill(OLD);
const text = (bytes: Uint8Array, at: number, length: number): string => Buffer.from(bytes.subarray(at, at + length)).toString();

const INTEGERS = [0, -0, 1, 9, 10, 99, 100, 999, 1000, -1, -999, 123_456, 2 ** 31 - 1, -(2 ** 31), 2 ** 31, 0.5, NaN];
const OTHERS = [true, false, undefined, null, '', 'a', { a: 1, b: undefined }, [0, true, undefined]];

test('each argument as renderValue() writes it, at any place, and nothing behind the last word', () => {
  const values = [...INTEGERS, ...OTHERS];
  for (let i = 0; i < values.length; i++) {
    const args = values.slice(i, i + 5);
    const from = i % 8;
    const room = argumentsBytes(args.length);
    const bytes = used(256 * 4);
    const end = writeArguments(bytes, from, args);
    let at = from + 1;
    for (const value of args) {
      assert.equal(text(bytes, at + 1, bytes[at]!), plainRender(value));
      at += 1 + bytes[at]!;
    }
    assert.equal(bytes[from], args.length);
    assert.equal(at, end);
    while ((at & 3) !== 0) assert.equal(bytes[at++], 0, 'the rest of the word is cleared');
    assert.ok(bytes.subarray(0, from).every((byte) => byte === OLD));
    assert.ok(bytes.subarray(from + room).every((byte) => byte === OLD));
  }
});

test('a result of any kind', () => {
  for (const value of [...INTEGERS, ...OTHERS]) {
    const bytes = used(256);
    const end = writeResult(bytes, 8, 2, value);
    assert.equal(bytes[8], 2);
    assert.equal(text(bytes, 10, bytes[9]!), plainRender(value));
    assert.equal(end, 10 + bytes[9]!);
    assert.ok(bytes.subarray(8 + resultBytes()).every((byte) => byte === OLD));
  }
});
