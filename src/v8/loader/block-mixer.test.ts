import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BLOCK_BYTES, type BlockMixer, blockMixer, plainMixer } from './block-mixer.js';

/** The words after blocks of these bytes. */
const mixed = ({ memory, mix }: BlockMixer, bytes: Uint8Array): number[] => {
  const words = new Int32Array(memory, 0, 4);
  words.set([1, -2, 3, -4]);
  new Uint8Array(memory).set(bytes, BLOCK_BYTES);
  mix(BLOCK_BYTES + bytes.length);
  return [...words];
};

test('WebAssembly and JavaScript mix alike', () => {
  const [fast, plain] = [blockMixer(), plainMixer()];
  assert.notEqual(String(fast.mix), String(plain.mix), 'this process has WebAssembly with vectors');
  for (const blocks of [0, 1, 2, 7, 4095]) {
    const bytes = new Uint8Array(blocks * BLOCK_BYTES).map((_, i) => (i * 197) ^ (i >> 7));
    assert.deepEqual(mixed(fast, bytes), mixed(plain, bytes), `${blocks} blocks`);
  }
});

test('blocks that differ in one bit leave other words', () => {
  const mixer = blockMixer();
  const bytes = new Uint8Array(BLOCK_BYTES);
  const seen = new Set([mixed(mixer, bytes).join()]);
  for (let bit = 0; bit < BLOCK_BYTES * 8; bit++) {
    const other = bytes.slice();
    other[bit >> 3]! ^= 1 << (bit & 7);
    seen.add(mixed(mixer, other).join());
  }
  assert.equal(seen.size, 1 + BLOCK_BYTES * 8);
});
