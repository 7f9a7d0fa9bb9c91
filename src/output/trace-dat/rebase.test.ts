import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressAt, hexAddress, parseAddress } from '../../base/address.js';
import { highWord, lowWord } from '../../base/words.js';
import { FTRACE_EVENTS } from '../../events/ftrace-events.js';
import { EventRegistry } from '../../events/registry.js';
import { createRingBuffer, PageCursor, RingBufferReader, RingBufferWriter } from '../../ring-buffer/index.js';
import { changePage, rebasedAddress, rebasePage, rebaseSymbols } from './rebase.js';

const RECORD_WORDS = 10;
const HIGH = 0xffffffff;

/** A page with a record of each id whose other words are addresses, or what could be taken for some. */
function pageWith(...ids: readonly number[]): Uint8Array {
  const memory = createRingBuffer(8192);
  const writer = new RingBufferWriter(memory);
  for (const [index, id] of ids.entries()) {
    const at = writer.reserve(RECORD_WORDS * 4, 1000 + index);
    for (let word = 0; word < RECORD_WORDS; word++) writer.u32[at + word] = word % 2 === 1 ? HIGH : word;
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

/** Gives the page's addresses to the second process; returns the places of the words of each record that changed. */
function rebased(page: Uint8Array): readonly (readonly number[])[] {
  const before = recordsOf(page.slice());
  rebasePage(page, 1, new EventRegistry());
  return recordsOf(page).map((record, i) =>
    Array.from(record.keys()).filter((word) => {
      if (record[word] === before[i]![word]) return false;
      assert.equal(record[word], HIGH - 1);
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

test('the addresses of every event that has some move, and nothing else changes', () => {
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
  recordsOf(page)[0]![end] = HIGH;
  assert.deepEqual(rebased(page), [[5]]);
});

/** The digits of an address of the first, the second and the last process. */
const MOVED = [
  ['ffffffff81000000', 'fffffffe81000000', 'ffff000081000000'],
  ['0000555555554000', '0001555555554000', '001f555555554000'],
  ['00007f1234567000', '00017f1234567000', '001f7f1234567000'],
  ['0000000000000000', '0000000000000000', '0000000000000000'],
] as const;
const LAST = 65535;

test('texts of each half of the address space move away from those of other processes', () => {
  for (const [own, second, last] of MOVED) {
    const address = parseAddress(own);
    assert.deepEqual(
      [0, 1, LAST].map((slot) => hexAddress(rebasedAddress(address, slot))),
      [own, second, last],
    );
    const page = pageWith(FTRACE_EVENTS.funcgraph_entry.id);
    recordsOf(page)[0]!.set([lowWord(address), highWord(address)], 2);
    rebasePage(page, LAST, new EventRegistry());
    assert.equal(hexAddress(addressAt(recordsOf(page)[0]!, 2)), last, 'a record has the symbol’s address');
  }
});

test('symbols move with the addresses', () => {
  const symbols = (column: 0 | 1): string => MOVED.map((row, i) => `${row[column]} t f${i}\t[0000555555554000 t]\n`).join('');
  assert.equal(rebaseSymbols(symbols(0), 1), symbols(1));
  assert.equal(rebaseSymbols(symbols(0), 0), symbols(0));
});

test('records of events that came at run time get the id that the event has in the recording, and their addresses move', () => {
  const { kernel_stack } = FTRACE_EVENTS;
  const page = pageWith(30, kernel_stack.id, 31, 99);
  const before = recordsOf(page.slice());
  const ids = new Map([
    [30, 31],
    [31, 30],
  ]);
  changePage(page, { slot: 1, ids, unknown: 0xffff, addresses: new Map([[30, [8]]]) });
  const records = recordsOf(page);
  assert.deepEqual(
    records.map(([id]) => id),
    [31, kernel_stack.id, 30, 0xffff],
  );
  assert.deepEqual([...records[0]!.subarray(1)], [...before[0]!.subarray(1)].with(2, HIGH - 1));
  for (const i of [1, 2, 3]) assert.deepEqual(records[i]!.subarray(1), before[i]!.subarray(1));
});
