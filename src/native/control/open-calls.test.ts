import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BLOCK, FRAME, GRAVE, SHARED } from '../code/arena.js';
import type { ProcessMemory } from '../process/process-memory.js';
import { OpenCalls } from './open-calls.js';

const [ARENA, ONLY_BLOCK, STACK, STACK_BYTES] = [0x10000, 0x20000, 0x80000, 0x4000];
const EXIT = 0x5000n;

/** Memory from 0 on, of which nothing is mapped behind the stack. */
function memoryOf(bytes: Buffer): ProcessMemory {
  const memory = {
    read(address: number, length: number): Uint8Array {
      if (address < 0 || address + length > bytes.length) throw new Error('not mapped');
      return Uint8Array.from(bytes.subarray(address, address + length));
    },
    write: (address: number, what: Uint8Array) => void bytes.set(what, address),
  };
  return memory as unknown as ProcessMemory;
}

test('a call that was reached by a jump gets the return address of the first of them back', () => {
  const bytes = Buffer.alloc(STACK + STACK_BYTES);
  const long = (address: number, value: number | bigint): number => bytes.writeBigUInt64LE(BigInt(value), address);
  long(ARENA + SHARED.CHAIN, ONLY_BLOCK);
  const [slot, back, other] = [STACK + 0x3f00, 0x400100n, 0x6000n];
  // A function that has jumped to another one, which has jumped to the first one.
  const frames = [
    { exit: EXIT, returns: back },
    { exit: other, returns: EXIT },
    { exit: EXIT, returns: other },
  ];
  for (const [n, { exit, returns }] of frames.entries()) {
    const frame = ONLY_BLOCK + BLOCK.FRAMES + n * FRAME.BYTES;
    long(frame + FRAME.SLOT, slot);
    long(frame + FRAME.RETURN, returns);
    long(frame + FRAME.EXIT, exit);
  }
  long(ONLY_BLOCK + BLOCK.TOP, frames.length * FRAME.BYTES);
  for (const exit of [EXIT, other]) {
    long(slot, exit);
    new OpenCalls(memoryOf(bytes), ARENA).giveBack();
    assert.equal(bytes.readBigUInt64LE(slot), back);
    long(slot, exit);
    new OpenCalls(memoryOf(bytes), ARENA).giveBack([slot]);
    assert.equal(bytes.readBigUInt64LE(slot), back);
  }
});

test('return addresses that functions have put into their frames are given back to the calls that they are of', () => {
  const bytes = Buffer.alloc(STACK + STACK_BYTES);
  const long = (address: number, value: number | bigint): number => bytes.writeBigUInt64LE(BigInt(value), address);
  long(ARENA + SHARED.CHAIN, ONLY_BLOCK);
  // A function that has called itself twice, and another one in the last call. The frames take 8 KiB, 64 and 32 bytes.
  const entries = [STACK + 0x3f00, STACK + 0x1f00, STACK + 0x1ec0];
  const calls = entries.map((entry, n) => ({ slot: entry - 8, exit: n < 2 ? EXIT : 0x6000n, back: 0x400100n + BigInt(n) }));
  for (const [n, { slot, exit, back }] of calls.entries()) {
    const frame = ONLY_BLOCK + BLOCK.FRAMES + n * FRAME.BYTES;
    long(frame + FRAME.SLOT, slot);
    long(frame + FRAME.RETURN, back);
    long(frame + FRAME.EXIT, exit);
  }
  long(ONLY_BLOCK + BLOCK.TOP, calls.length * FRAME.BYTES);
  // A call that was dropped had its place where the frame of the first call is now.
  const grave = ONLY_BLOCK + BLOCK.GRAVES;
  long(grave + GRAVE.SLOT, entries[1]! + 0x100);
  long(grave + GRAVE.RETURN, 0x400200);
  long(grave + GRAVE.EXIT, EXIT);
  const sp = entries[2]! - 32;
  // At the lower end of the frame, in its midst, and signed; below the stack pointer; and above all frames.
  const saved = { outer: entries[1]! + 8, inner: entries[2]! + 24, signed: sp + 8, below: sp - 8, above: STACK + 0x3f08 };
  long(saved.outer, EXIT);
  long(saved.inner, EXIT);
  long(saved.signed, 0x6000n | (0x12n << 48n));
  long(saved.below, 0x6000n);
  long(saved.above, EXIT);

  new OpenCalls(memoryOf(bytes), ARENA).giveBack([sp]);
  const words = Object.entries(saved).map(([name, address]) => `${name} ${bytes.readBigUInt64LE(address).toString(16)}`);
  assert.deepEqual(words, ['outer 400100', 'inner 400101', 'signed 12000000006000', 'below 6000', 'above 5000']);
});
