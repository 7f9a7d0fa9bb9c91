import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { branch, bytesOf, CALL_PAD, MOV_X9_LR, NOP } from '../machines/arm64/encode.js';
import { changesOf } from './leftovers.js';

const TEXT = 0x400000;
const CODE = { start: 0x500000, end: 0x600000 };
const LEFT = [{ code: [CODE] }];

/** Bytes of a call (0xe8) or a jump (0xe9) at a place of the text. */
function to(target: number, at: number, opcode = 0xe8): readonly number[] {
  const bytes = Buffer.alloc(5, opcode);
  bytes.writeInt32LE(target - (TEXT + at + 5), 1);
  return [...bytes];
}

describe('what leads to the code of an earlier host', () => {
  const original = Uint8Array.from({ length: 64 }, () => 0x90);
  const changed = (...patches: readonly (readonly [at: number, bytes: readonly number[]])[]): Uint8Array => {
    const text = original.slice();
    for (const [at, bytes] of patches) text.set(bytes, at);
    return text;
  };

  it('becomes what the file has', () => {
    const text = changed([8, to(CODE.start + 256, 8)], [20, [...to(CODE.end - 16, 20, 0xe9), 0xcc, 0x90, 0xcc]]);
    const changes = changesOf(text, original, TEXT, LEFT, new Set(), 'x86-64');
    assert.deepEqual(
      changes.map(({ address, bytes }) => [address - TEXT, bytes.length]),
      [
        [8, 5],
        [20, 8],
      ],
    );
    for (const { address, bytes } of changes) text.set(bytes, address - TEXT);
    assert.deepEqual(text, original);
  });

  it('is told from what others have changed, and from sites next to it', () => {
    const others = changed([8, to(CODE.end, 8)], [20, [0xcc]], [30, to(TEXT, 30)]);
    assert.deepEqual(changesOf(others, original, TEXT, LEFT, new Set(), 'x86-64'), []);
    const two = changed([8, to(CODE.start, 8)], [13, to(CODE.start, 13)]);
    assert.deepEqual(
      changesOf(two, original, TEXT, LEFT, new Set(), 'x86-64').map(({ address, bytes }) => [address - TEXT, bytes.length]),
      [
        [8, 5],
        [13, 5],
      ],
    );
  });

  it('is a branch on arm64, and what saves the return address or lets calls arrive before it', () => {
    const before = bytesOf(Array.from({ length: 10 }, () => NOP));
    const at = (index: number, use: 'call' | 'jump', target: number): number => branch(use, TEXT + 4 * index, target);
    const words = [
      MOV_X9_LR,
      at(1, 'call', CODE.start),
      NOP,
      at(3, 'jump', CODE.end - 4),
      MOV_X9_LR,
      NOP,
      MOV_X9_LR,
      at(7, 'call', CODE.end),
      CALL_PAD,
      at(9, 'jump', CODE.start),
    ];
    assert.deepEqual(
      changesOf(bytesOf(words), before, TEXT, LEFT, new Set(), 'arm64').map(({ address, bytes }) => [
        address - TEXT,
        bytes.length,
      ]),
      [
        [0, 8],
        [12, 4],
        [32, 8],
      ],
    );
  });
});
