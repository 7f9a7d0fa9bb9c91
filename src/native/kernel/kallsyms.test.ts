import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kallsyms } from './kallsyms.js';

const BASE = 0xffff_ffff_8100_0000n;
const padded = (bytes: Buffer): Buffer => Buffer.concat([bytes, Buffer.alloc((8 - (bytes.length % 8)) % 8)]);
const words = (values: readonly number[]): Buffer =>
  Buffer.concat(values.map((value) => Buffer.from(Uint32Array.of(value).buffer)));

/** The tables of so many symbols, `t` and the name of each; the first text is a part of every name. */
function tablesOf(count: number): Buffer {
  const texts = ['Tvfs_', ...Array.from({ length: 255 }, (_, i) => String.fromCharCode(i + 1))];
  const index: number[] = [];
  let length = 0;
  for (const text of texts) {
    index.push(length);
    length += text.length + 1;
  }
  const base = Buffer.alloc(8);
  base.writeBigUInt64LE(BASE);
  const names = Array.from({ length: count }, (_, i) => Buffer.from([2, 0, 0x41 + i]));
  return Buffer.concat([
    padded(words(Array.from({ length: count }, (_, i) => 16 * i))),
    base,
    padded(words([count])),
    padded(Buffer.concat(names)),
    padded(words([0])),
    padded(Buffer.alloc(3 * count, 0xff)),
    padded(Buffer.from(texts.map((text) => `${text}\0`).join(''), 'latin1')),
    Buffer.from(Uint16Array.from(index).buffer),
  ]);
}

// Three bytes of each symbol stand before the texts: of 8 symbols they need no padding, and the byte before the first text is not
// 0.
for (const count of [7, 8, 16]) {
  test(`the symbols of a kernel that has ${count}`, () => {
    const symbols = kallsyms(tablesOf(count));
    assert.equal(symbols.length, count);
    assert.deepEqual(symbols[1], { type: 'T', name: 'vfs_B', address: -0x7eff_fff0 });
  });
}
