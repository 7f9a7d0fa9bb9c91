import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Decoder } from './decode.js';
import { movedCode } from './move.js';

const FROM = 0x40_1000;
const TO = 0x50_0000;

/** Where moved instructions lead, or what they address: each distance in them, as an address. */
function meant(bytes: readonly number[], end = bytes.length): readonly string[] {
  const code = Buffer.from(movedCode({ code: Buffer.from(bytes), address: FROM }, 0, end, TO));
  const decoder = new Decoder();
  const found: string[] = [];
  for (let at = 0; at < code.length; at += decoder.length) {
    assert.ok(decoder.read(code, at));
    const target = decoder.ripAt > 0 ? at + decoder.length + code.readInt32LE(at + decoder.ripAt) : decoder.target(code, at);
    // What loop and jrcxz go over is in the moved code.
    if (target === undefined || (target >= 0 && target <= code.length)) continue;
    found.push((TO + target).toString(16));
  }
  return found;
}

const NOP = 0x90;

test('what moved instructions refer to by distance is the original, also in their own range', () => {
  const after = (FROM + 8).toString(16);
  // The target is the first instruction, or the second, which begins 1 byte behind it.
  const instructions: Readonly<Record<string, (to: number) => readonly number[]>> = {
    'lea to(%rip),%rdi': (to) => [NOP, 0x48, 0x8d, 0x3d, to - 8, 0xff, 0xff, 0xff],
    'cmpb $7,to(%rip)': (to) => [NOP, 0x80, 0x3d, to - 8, 0xff, 0xff, 0xff, 7],
    'jne to': (to) => [NOP, NOP, NOP, NOP, NOP, NOP, 0x75, to - 8],
    'jne to, 32 bits': (to) => [NOP, NOP, 0x0f, 0x85, to - 8, 0xff, 0xff, 0xff],
    'loop to': (to) => [NOP, NOP, NOP, NOP, NOP, NOP, 0xe2, to - 8],
    'jrcxz to': (to) => [NOP, NOP, NOP, NOP, NOP, NOP, 0xe3, to - 8],
    'jecxz to': (to) => [NOP, NOP, NOP, NOP, NOP, 0x67, 0xe3, to - 8],
    'xbegin to': (to) => [NOP, NOP, 0xc7, 0xf8, to - 8, 0xff, 0xff, 0xff],
  };
  for (const [name, bytes] of Object.entries(instructions)) {
    for (const to of [0, 1]) {
      assert.deepEqual([name, ...meant(bytes(to).map((byte) => byte & 0xff))], [name, (FROM + to).toString(16), after]);
    }
  }
  // These do not go on.
  const ends: typeof instructions = {
    'jmp to': (to) => [NOP, NOP, NOP, NOP, NOP, NOP, 0xeb, to - 8],
    'jmp to, 32 bits': (to) => [NOP, NOP, NOP, 0xe9, to - 8, 0xff, 0xff, 0xff],
    'call to': (to) => [NOP, NOP, NOP, 0xe8, to - 8, 0xff, 0xff, 0xff],
  };
  for (const [name, bytes] of Object.entries(ends)) {
    for (const to of [0, 1]) {
      assert.deepEqual([name, ...meant(bytes(to).map((byte) => byte & 0xff))], [name, (FROM + to).toString(16)]);
    }
  }
});

test('an instruction that changes what its own distance is of is not moved', () => {
  // xbegin with a distance of 16 bits, which goes to the first 64 KiB.
  assert.throws(() => movedCode({ code: Buffer.of(0x66, 0xc7, 0xf8, 0, 0), address: FROM }, 0, 5, TO), { errno: 'EINVAL' });
});
