import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressAt, addressOf, addressOfBits, compareAddresses, hexAddress, parseAddress } from './address.js';
import { highWord, lowWord } from './words.js';

/** The digits of an address, and the number that it is. */
const ADDRESSES = {
  '0000000000000000': 0,
  '0000000000401000': 0x401000,
  '0000555555554000': 0x555555554000,
  '00007f1234567000': 0x7f1234567000,
  '001fffffffffffff': Number.MAX_SAFE_INTEGER,
  ffe0000000000001: Number.MIN_SAFE_INTEGER,
  ffff800008000000: -(2 ** 47) + 0x8000000,
  fffffffe81000000: -0x17f000000,
  ffffffff00000000: -(2 ** 32),
  ffffffff81000000: -0x7f000000,
  ffffffffffffffff: -1,
} as const;

test('an address is its 64 bits with their sign, and its digits again', () => {
  for (const [digits, address] of Object.entries(ADDRESSES)) {
    assert.equal(parseAddress(digits), address, digits);
    assert.equal(hexAddress(address), digits);
    assert.equal(addressOfBits(BigInt(`0x${digits}`)), address, digits);
    assert.equal(addressOfBits(address), address, digits);
  }
});

test('two words make an address, and an address two words', () => {
  for (const [digits, address] of Object.entries(ADDRESSES)) {
    const [high, low] = [highWord(address) >>> 0, lowWord(address) >>> 0];
    assert.deepEqual([high, low], [Number.parseInt(digits.slice(0, 8), 16), Number.parseInt(digits.slice(8), 16)]);
    assert.equal(addressOf(high, low), address, digits);
    assert.equal(addressOf(high | 0, low | 0), address, 'words may have a sign');
    assert.equal(addressAt(Uint32Array.of(7, low, high), 1), address);
  }
});

test('digits without leading zeros are an address too', () => {
  assert.deepEqual(['0', '401000', '7f1234567000'].map(parseAddress), [0, 0x401000, 0x7f1234567000]);
});

test('user space comes before the kernel', () => {
  const sorted = Object.values(ADDRESSES);
  assert.deepEqual(sorted.toReversed().sort(compareAddresses), sorted);
  assert.equal(compareAddresses(-1, -1), 0);
});
