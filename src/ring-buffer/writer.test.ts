import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRingBuffer, DEFAULT_SUBBUF_BYTES, type RingBufferOptions, RingBufferReader, RingBufferWriter } from './index.js';

const DATA_BYTES = DEFAULT_SUBBUF_BYTES - 16;
const SMALL_RING = 2 * DATA_BYTES;

function makeRing(options?: RingBufferOptions) {
  const memory = createRingBuffer(SMALL_RING, DEFAULT_SUBBUF_BYTES, options);
  const writer = new RingBufferWriter(memory);
  const reader = new RingBufferReader(memory);
  /** Writes an event whose payload begins with a number. */
  const write = (bytes: number, ts: number, number = 0): boolean => {
    const at = writer.reserve(bytes, ts);
    if (at < 0) return false;
    writer.u32[at] = number;
    writer.commit();
    return true;
  };
  /** The words of the page that reading takes out. */
  const readWords = (): number[] => {
    const page = new Uint8Array(DEFAULT_SUBBUF_BYTES);
    assert.ok(reader.readPage(page));
    return [...new Uint32Array(page.buffer)];
  };
  return { writer, reader, write, readWords };
}

test('an event that is reserved, filled and committed is read back', () => {
  const { writer, reader } = makeRing();
  const at = writer.reserve(12, 1_000_000);
  writer.u32[at] = 7;
  assert.equal(reader.peek(), false);
  writer.commit();
  assert.equal(reader.peek(), true);
  assert.equal(reader.ts, 1_000_000);
  assert.equal(reader.words[reader.payload >> 2], 7);
  assert.equal(reader.length, 12);
  reader.consume();
  assert.equal(reader.peek(), false);
});

test('a page begins with its time and what is committed, then come type_len and time_delta of each event', () => {
  const { write, readWords } = makeRing();
  write(12, 2 ** 32 + 5, 0xaa);
  write(16, 2 ** 32 + 12, 0xbb);
  const [low, high, commit, , first, a, , , second, b] = readWords();
  assert.deepEqual([low, high, commit], [5, 1, 36]);
  assert.deepEqual([first, a, second, b], [3, 0xaa, 4 | (7 << 5), 0xbb]);
});

test('an event of more than 28 words has its length in array[0]', () => {
  const { write, readWords } = makeRing();
  write(28 * 4, 1);
  write(29 * 4, 1, 0xcc);
  const words = readWords().slice(4);
  assert.equal(words[0], 28);
  assert.deepEqual(words.slice(29, 32), [0, 30 * 4, 0xcc]);
});

test('an event has one word at least, and never two', () => {
  const { write, reader } = makeRing();
  const lengths = [0, 1, 4, 5, 8, 9].map((bytes) => {
    write(bytes, 1);
    reader.peek();
    reader.consume();
    return reader.length;
  });
  assert.deepEqual(lengths, [4, 4, 4, 12, 12, 12]);
});

test('a delta of 2^27 ns and more is a time extend before the event', () => {
  const { write, readWords } = makeRing();
  write(12, 0);
  write(12, 2 ** 27 - 1);
  write(12, 2 ** 27 - 1 + 5 * 2 ** 27 + 3);
  const words = readWords().slice(4);
  assert.equal(words[4]! >>> 5, 2 ** 27 - 1);
  assert.deepEqual(words.slice(8, 11), [30 | (3 << 5), 5, 3]);
});

test('times of months are kept to the nanosecond, those of years as exact as a number is', () => {
  const { write, reader } = makeRing();
  const times = [1, 2 ** 40 + 1, 2 ** 50 + 3, 2 ** 53 - 1, 2 ** 53 + 2, 2 ** 55 + 8];
  for (const ts of times) write(12, ts);
  const read = times.map(() => {
    reader.peek();
    reader.consume();
    return reader.ts;
  });
  assert.deepEqual(read, times);
});

test('a clock that goes back stands still for the events until it has caught up', () => {
  const { write, reader } = makeRing();
  const read = [1000, 400, 900, 1500].map((ts) => {
    write(12, ts);
    reader.peek();
    reader.consume();
    return reader.ts;
  });
  assert.deepEqual(read, [1000, 1000, 1000, 1500]);
});

test('the rest of a page that the next event does not fit in is padding', () => {
  const { write, reader } = makeRing();
  write(DATA_BYTES - 16 - 8, 1);
  write(16, 2, 1);
  const word = reader.words.length - (DEFAULT_SUBBUF_BYTES >> 2) * 3 + 4 + ((DATA_BYTES - 16) >> 2);
  assert.deepEqual([...reader.words.subarray(word, word + 2)], [29 | (1 << 5), 12]);
});

test('one word that is left is padding without a length and not committed', () => {
  const { write, reader, readWords } = makeRing();
  write(DATA_BYTES - 4 - 8, 1);
  write(12, 2, 1);
  const start = reader.words.length - (DEFAULT_SUBBUF_BYTES >> 2) * 3;
  assert.equal(reader.words[start + (DEFAULT_SUBBUF_BYTES >> 2) - 1], 29);
  assert.equal(readWords()[2], DATA_BYTES - 4);
  assert.equal(readWords()[5], 1);
});

test('an event larger than a sub-buffer is refused and counted', () => {
  const { write, reader } = makeRing();
  assert.equal(write(DATA_BYTES - 8, 1), true);
  assert.equal(write(DATA_BYTES - 7, 1), false);
  assert.equal(reader.stats(0).droppedEvents, 1);
});

test('what interrupts an event between reserve and commit is refused and counted, and the event stays whole', () => {
  const { writer, reader, write } = makeRing();
  // The first event of a page, one that needs its own length word, and a common one take different ways.
  for (const bytes of [12, 400, 12]) {
    const at = writer.reserve(bytes, 1);
    writer.u32[at] = 1;
    assert.equal(write(12, 2, 2), false);
    assert.equal(writer.moveTo(createRingBuffer(SMALL_RING)), false);
    writer.commit();
  }
  assert.equal(write(12, 3, 3), true);
  const { entries, commitOverrun } = reader.stats(0);
  assert.deepEqual([entries, commitOverrun], [4, 3]);
  for (const number of [1, 1, 1, 3]) {
    reader.peek();
    assert.equal(reader.words[reader.payload >> 2], number);
    reader.consume();
  }
});

test('a reserved event can be discarded, or committed shorter', () => {
  const { writer, reader, write } = makeRing();
  write(12, 100);
  writer.reserve(12, 2 ** 30);
  writer.discard();
  for (const bytes of [100, 1000]) {
    writer.u32[writer.reserve(bytes, 200)] = bytes;
    writer.commitShorter(20);
  }
  const read: number[][] = [];
  for (; reader.peek(); reader.consume()) read.push([reader.ts, reader.words[reader.payload >> 2]!, reader.length]);
  assert.deepEqual(read.slice(1), [
    [200, 100, 20],
    [200, 1000, 20],
  ]);
});

test('a stack that overflows in the middle of reserving leaves nothing behind', () => {
  const { writer, reader } = makeRing();
  let [written, overflows, ts] = [0, 0, 0];
  const dive = (bytes: number): void => {
    try {
      dive(bytes);
      // The first of these calls to find room on the stack again cleans up after those that did not.
      writer.abandon();
      if (writer.reserve(bytes, ++ts) < 0) return;
      writer.commit();
      written++;
    } catch {
      overflows++;
    }
  };
  for (const bytes of [12, 500, 2000]) dive(bytes);
  let [read, lost] = [0, 0];
  for (let last = 0; reader.peek(); reader.consume()) {
    assert.ok(reader.ts > last && reader.ts <= ts);
    last = reader.ts;
    read++;
    lost += reader.lost;
  }
  const { overrun, droppedEvents, commitOverrun } = reader.stats(0);
  assert.deepEqual([read + overrun, lost], [written, overrun]);
  assert.deepEqual([droppedEvents, commitOverrun], [0, 0]);
  assert.ok(overflows > 0);
});

test('without overwriting, a full ring refuses events until some are read', () => {
  const { write, reader } = makeRing({ overwrite: false });
  let written = 0;
  while (write(1000, 1)) written++;
  assert.equal(written, 8);
  assert.equal(write(1000, 1), false);
  assert.equal(reader.stats(0).droppedEvents, 2);
  reader.peek();
  assert.equal(write(1000, 1), true);
});

test('overwriting can be switched on while the ring is full', () => {
  const { write, reader } = makeRing({ overwrite: false });
  while (write(1000, 1));
  reader.overwrite = true;
  assert.equal(write(1000, 1, 9), true);
  const { entries, overrun } = reader.stats(0);
  assert.deepEqual([entries, overrun], [5, 4]);
});

test('nothing is recorded, nor counted as dropped, while there is a reason to record nothing', () => {
  const { write, reader } = makeRing({ recording: false });
  reader.setDisabled('snapshot', true);
  reader.setDisabled('tracingOn', false);
  assert.equal(reader.recording, false);
  assert.equal(write(12, 1), false);
  reader.setDisabled('snapshot', false);
  assert.equal(write(12, 2), true);
  const { entries, droppedEvents } = reader.stats(0);
  assert.deepEqual([entries, droppedEvents], [1, 0]);
});
