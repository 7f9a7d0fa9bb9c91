import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PacketReader, packet } from './packet.js';

test('a packet has the sum of its bytes', () => {
  assert.equal(packet('m1000,4'), '$m1000,4#8e');
  assert.equal(packet(''), '$#00');
});

test('packets come in pieces, between acknowledgements', () => {
  const reader = new PacketReader();
  assert.deepEqual(reader.read('+$OK#9'), []);
  assert.deepEqual(reader.read('a+$E14#aa$'), ['OK', 'E14']);
  assert.deepEqual(reader.read('#00'), ['']);
});

test('repeats and escapes are undone', () => {
  assert.deepEqual(new PacketReader().read(packet('0* ')), ['0000']);
  assert.deepEqual(new PacketReader().read(packet('a}\x03b')), ['a#b']);
});

test('a wrong sum is told', () => {
  assert.throws(() => new PacketReader().read('$OK#00'), /a packet whose sum is 00, not 9a/);
});
