import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TEXT_HIGH } from '../../arch/arch.js';
import { FTRACE_EVENTS } from '../../events/ftrace-events.js';
import { EventRegistry } from '../../events/registry.js';
import { createRingBuffer, PageCursor, RingBufferReader, RingBufferWriter } from '../../ring-buffer/index.js';
import { rebasePage } from './rebase-page.js';

const RECORD_WORDS = 10;

/** A page with a record of each id whose other words are addresses, or what could be taken for some. */
function pageWith(...ids: readonly number[]): Uint8Array {
  const memory = createRingBuffer(8192);
  const writer = new RingBufferWriter(memory);
  for (const [index, id] of ids.entries()) {
    const at = writer.reserve(RECORD_WORDS * 4, 1000 + index);
    for (let word = 0; word < RECORD_WORDS; word++) writer.u32[at + word] = word % 2 === 1 ? TEXT_HIGH : word;
    writer.u32[at] = id;
    writer.commit();
  }
  const page = new Uint8Array(4096);
  new RingBufferReader(memory).readPage(page);
  return page;
}

/** The words of each record of a page. */
function recordsOf(page: Uint8Array): readonly Uint32Array[] {
  const words = new Uint32Array(page.buffer);
  const cursor = new PageCursor().open(words, 0);
  const found: Uint32Array[] = [];
  while (cursor.next()) found.push(words.subarray(cursor.payload >> 2, (cursor.payload + cursor.length) >> 2));
  return found;
}

/** Gives the page other high bits; returns the places of the words of each record that changed, which are those bits now. */
function rebased(page: Uint8Array): readonly (readonly number[])[] {
  const before = recordsOf(page.slice());
  rebasePage(page, TEXT_HIGH - 1, new EventRegistry());
  return recordsOf(page).map((record, i) =>
    Array.from(record.keys()).filter((word) => {
      if (record[word] === before[i]![word]) return false;
      assert.equal(record[word], TEXT_HIGH - 1);
      return true;
    }),
  );
}

/** Which words of each event's record hold the high half of an address. */
const HIGH_WORDS: Readonly<Record<keyof typeof FTRACE_EVENTS, readonly number[]>> = {
  function: [3, 5],
  context_switch: [],
  wakeup: [],
  kernel_stack: [5, 7, 9],
  print: [3],
  bprint: [3],
  funcgraph_exit: [3],
  funcgraph_entry: [3],
  user_stack: [5, 7, 9],
  bputs: [3],
  hwlat: [],
  raw_data: [],
  func_repeats: [3, 5],
};

test('the addresses of every event that has some get other high bits, and nothing else changes', () => {
  const names = Object.keys(FTRACE_EVENTS) as (keyof typeof FTRACE_EVENTS)[];
  const page = pageWith(...names.map((name) => FTRACE_EVENTS[name].id));
  assert.deepEqual(
    rebased(page),
    names.map((name) => HIGH_WORDS[name]),
  );
});

test('what ends a stack stays what it is', () => {
  const page = pageWith(FTRACE_EVENTS.kernel_stack.id);
  const end = 6;
  recordsOf(page)[0]![end] = TEXT_HIGH;
  assert.deepEqual(rebased(page), [[5]]);
});
