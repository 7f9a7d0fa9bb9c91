import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createControlBlock, WORD } from '../shared/control-block.js';
import type { ThreadCommand } from '../shared/protocol.js';
import { PatchSlices } from './patch-slices.js';

const COMMAND: ThreadCommand = { type: 'hello', seq: 1 };

/** The slices of a thread whose clock stands still until it is told to go on. */
function createSlices() {
  const block = createControlBlock();
  let now = 0;
  const slices = new PatchSlices(block, () => now);
  return {
    block,
    slices,
    /** Works for so many milliseconds. @returns whether the slice is over */
    work(milliseconds: number): boolean {
      now += milliseconds * 1e6;
      return slices.isOver;
    },
  };
}

test('a turn has a slice, and what comes before the next slice waits', () => {
  const { slices, work } = createSlices();
  assert.equal(slices.mayGoOn(COMMAND), true);
  assert.equal(work(2), false);
  assert.equal(work(2), true);
  const slice = slices.end();
  assert.equal(slices.mayGoOn(COMMAND), false);
  assert.equal(slices.mayGoOn({ type: 'next slice', slice }), true);
  assert.equal(work(2), false);
  slices.done();
  assert.equal(slices.mayGoOn(COMMAND), true);
});

test('an interrupt takes a slice of the turn, and then all that is left', () => {
  const { slices, work } = createSlices();
  slices.mayGoOn(COMMAND);
  work(6);
  const first = slices.end();
  slices.interrupted();
  assert.equal(work(6), true);
  slices.end();
  assert.equal(slices.mayGoOn({ type: 'next slice', slice: first }), false);
  slices.interrupted();
  assert.equal(work(6), true, 'the loop has turned meanwhile');
  slices.interrupted();
  assert.equal(work(1000), false);
});

test('a turn that loads a module, and every turn with patch-at-once, takes all', () => {
  const { block, slices, work } = createSlices();
  slices.mayGoOn(COMMAND);
  slices.allAtOnce();
  assert.equal(work(1000), false);
  slices.mayGoOn(COMMAND);
  assert.equal(work(1000), true);
  Atomics.store(block, WORD.PATCH_AT_ONCE, 1);
  assert.equal(work(1000), false);
});
