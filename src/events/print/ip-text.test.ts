import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ipv4Text, ipv6Text } from './ip-text.js';

const zeros = (count: number): number[] => Array.from({ length: count }, () => 0);

test('IPv4 addresses', () => {
  assert.equal(ipv4Text([127, 0, 0, 1]), '127.0.0.1');
  assert.equal(ipv4Text([0, 0, 0, 0]), '0.0.0.0');
});

test('IPv6 addresses, compressed as the kernel does, and in full', () => {
  const rows: readonly (readonly [number[], string])[] = [
    [zeros(16), '::'],
    [[...zeros(15), 1], '::1'],
    [[...zeros(10), 0xff, 0xff, 127, 0, 0, 1], '::ffff:127.0.0.1'],
    [[0xfe, 0x80, ...zeros(7), 1, ...zeros(4), 0, 2], 'fe80::1:0:0:2'],
    [[0x20, 1, 0xd, 0xb8, 0, 1, 0, 0, 0, 2, 0, 3, 0, 4, 0, 5], '2001:db8:1:0:2:3:4:5'],
  ];
  for (const [bytes, text] of rows) assert.equal(ipv6Text(bytes, true), text);
  assert.equal(ipv6Text([...zeros(15), 1], false), '0000:0000:0000:0000:0000:0000:0000:0001');
});
