import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TEXT_HIGH } from '../../../arch/arch.js';
import { FTRACE_EVENTS } from '../../../events/ftrace-events.js';
import { createRingBuffer, PageCursor, RingBufferReader, RingBufferWriter } from '../../../ring-buffer/index.js';
import { rebasePage } from './rebase-page.js';

/** A page with a record of each id, all words after the id's set to TEXT_HIGH. */
function pageWith(...ids: readonly number[]): Uint8Array {
  const memory = createRingBuffer(8192);
  const writer = new RingBufferWriter(memory);
  for (const [index, id] of ids.entries()) {
    const at = writer.reserve(40, 1000 + index);
    writer.u32.fill(TEXT_HIGH, at, at + 10);
    writer.u32[at] = id;
    writer.commit();
  }
  const page = new Uint8Array(4096);
  new RingBufferReader(memory).readPage(page);
  return page;
}

/** Places of the words of each record that are not TEXT_HIGH, after the first. */
function changedWords(page: Uint8Array): readonly (readonly number[])[] {
  const words = new Uint32Array(page.buffer);
  const cursor = new PageCursor().open(words, 0);
  const found: number[][] = [];
  while (cursor.next()) {
    const record = words.subarray(cursor.payload >> 2, (cursor.payload + cursor.length) >> 2);
    found.push([...record.keys()].filter((word) => word > 0 && record[word] !== TEXT_HIGH));
  }
  return found;
}

test('the addresses of every event that has some get other high bits, and nothing else changes', () => {
  const { function: func, funcgraph_entry, funcgraph_exit, print, bprint } = FTRACE_EVENTS;
  const page = pageWith(func.id, funcgraph_entry.id, funcgraph_exit.id, print.id, bprint.id);
  rebasePage(page, TEXT_HIGH - 1);
  assert.deepEqual(changedWords(page), [[3, 5], [3], [3], [3], []]);
});
