import assert from 'node:assert/strict';
import type { RingBufferWriter } from '../writer.js';

/** Fills a payload of at least two words so that it can be told again: its number, its length, and words made of both. */
export function fillEvent(writer: RingBufferWriter, at: number, words: number, number: number): void {
  const { u32 } = writer;
  u32[at] = number;
  u32[at + 1] = words;
  for (let i = 2; i < words; i++) u32[at + i] = Math.imul(number + i, 0x9e3779b1);
}

/** Checks a payload that `fillEvent()` filled. @returns its number */
export function seededEvent(memory: Uint32Array, payload: number, length: number): number {
  const at = payload >> 2;
  const number = memory[at]!;
  const words = memory[at + 1]!;
  assert.ok(length === words * 4 || (words === 2 && length === 12), `event ${number} has ${words} words, not ${length} bytes`);
  for (let i = 2; i < words; i++)
    assert.equal(memory[at + i], Math.imul(number + i, 0x9e3779b1) >>> 0, `event ${number}, word ${i}`);
  return number;
}
