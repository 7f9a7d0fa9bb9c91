import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UNWIND_ABIS } from '../machines/unwind-abis.js';
import { frameValue } from './frame-value.js';
import { type UnwoundProcess, unwindStack } from './unwind-stack.js';

const abi = UNWIND_ABIS['x86-64'];
const [RBP, RSP] = [6, 7];
const CODE = 0x1000;
const STACK = 0x8000;

/** Code from 0x1000 to 0x2000 that no table describes, and a stack of these words. */
const process = (words: readonly number[], more: Partial<UnwoundProcess> = {}): UnwoundProcess => ({
  row: () => undefined,
  isCode: (address) => address >= CODE && address < 2 * CODE,
  isStub: () => false,
  code: () => new Uint8Array(0),
  word(address) {
    const word = words[(address - STACK) / 8];
    if (word === undefined) throw new Error('not mapped');
    return word;
  },
  ...more,
});

function unwound(words: readonly number[], frame: number, more?: Partial<UnwoundProcess>) {
  const registers: number[] = [];
  registers[RSP] = STACK;
  registers[RBP] = frame;
  const { frames, end } = unwindStack(abi, process(words, more), { pc: CODE, registers });
  return [frames.map(({ pc }) => pc), end];
}

test('frame pointers are followed to the last one, which is 0', () => {
  assert.deepEqual(unwound([STACK + 16, CODE + 1, 0, CODE + 2], STACK), [[CODE, CODE + 1, CODE + 2], undefined]);
});

test('a function that has not made its frame yet has its return address on top', () => {
  const push = Uint8Array.of(0x55, 0x48, 0x89, 0xe5);
  const code = (address: number): Uint8Array => (address === CODE ? push : new Uint8Array(0));
  assert.deepEqual(unwound([CODE + 1, 0, CODE + 2], STACK + 8, { code }), [[CODE, CODE + 1, CODE + 2], undefined]);
});

test('a stub of the linker has nothing on the stack but the return address', () => {
  const isStub = (address: number): boolean => address === CODE;
  assert.deepEqual(unwound([CODE + 1, 0, CODE + 2], STACK + 8, { isStub }), [[CODE, CODE + 1, CODE + 2], undefined]);
});

test('a stack that is not what it should be ends, and says why', () => {
  const bad = 'no table describes it, and the frame pointer does not lie on the stack';
  assert.deepEqual(unwound([], STACK - 8), [[CODE], bad]);
  assert.deepEqual(unwound([], STACK + 1), [[CODE], bad]);
  assert.deepEqual(unwound([STACK, CODE + 1], STACK), [[CODE, CODE + 1], bad], 'a frame that is its own caller');
  assert.deepEqual(unwound([0, 7], STACK), [[CODE], 'what it returns to is no code']);
  assert.deepEqual(unwound([0], STACK), [[CODE], 'the stack cannot be read there (not mapped)']);
});

test('a stack without an end is cut', () => {
  const [frames, end] = unwound(
    Array.from({ length: 20_000 }, (_, i) => (i % 2 === 0 ? STACK + 8 * (i + 2) : CODE)),
    STACK,
  );
  assert.equal((frames as readonly number[]).length, 4096);
  assert.equal(end, 'it has more than 4096 calls');
});

test('an expression computes what it says, and a damaged one is told', () => {
  const needs = { register: (number: number) => (number === 7 ? 64 : undefined), word: (address: number) => address * 2 };
  const value = (...bytes: readonly number[]): number => frameValue(Buffer.from(bytes), needs, 5);
  // DW_OP_breg7 8; deref; lit3; and; lit1; plus; over; plus
  assert.equal(value(0x77, 8, 0x06, 0x33, 0x22), 147);
  assert.equal(value(0x33, 0x36, 0x1a), 2, 'and');
  assert.equal(value(0x30, 0x28, 1, 0, 0x39, 0x3a), 10, 'a branch that is not taken');
  assert.throws(() => value(0x78, 0), /register 8 is not known/);
  assert.throws(() => value(0x2f, 0xfd, 0xff), /an expression without an end/);
  assert.throws(() => value(0x1c), RangeError);
  assert.throws(() => value(0xff), /an operation 255, which is not known/);
});
