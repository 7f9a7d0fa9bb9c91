import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRingBuffer, pagesFor } from './create-ring-buffer.js';
import { PageCursor } from './decode.js';
import { DELTA_LIMIT, MAX_SMALL_WORDS } from './event-word.js';
import { dataBytes } from './layout.js';
import { RingBufferReader } from './reader.js';
import { checkStructure } from './testing/checked-reader.js';
import { RingModel } from './testing/model.js';
import { seededRandom } from './testing/random.js';
import { fillEvent, seededEvent } from './testing/seeded-event.js';
import { RingBufferWriter } from './writer.js';

const SEED = Number(process.env['SEED'] ?? 1);
const ROUNDS = 60;
const STEPS = 200;

/** What an event of some words takes: its words, one or two before them, and a time extend. */
function eventBytes(words: number, extended: boolean): number {
  const stored = words === 2 ? 3 : words;
  return ((stored > MAX_SMALL_WORDS ? 2 : 1) + stored + (extended ? 2 : 0)) * 4;
}

test('events are read as a simple model reads them, in any order of writes, reads, clears, switches, moves and new writers', () => {
  for (let round = 0; round < ROUNDS; round++) {
    const seed = SEED * 1000 + round;
    try {
      playRound(seed);
    } catch (cause) {
      throw new Error(`seed ${seed}`, { cause });
    }
  }
});

function playRound(seed: number): void {
  const random = seededRandom(seed);
  const subbufBytes = [4096, 8192][random(2)]!;
  const randomSize = () => (1 + random(6)) * subbufBytes;
  const size = randomSize();
  const maxWords = [8, 40, 300][random(3)]!;
  const memory = createRingBuffer(size, subbufBytes);
  let writer = new RingBufferWriter(memory);
  const reader = new RingBufferReader(memory);
  const model = new RingModel(pagesFor(size, subbufBytes), dataBytes(subbufBytes));
  let ts = 2 ** 40;
  let number = 0;

  const write = () => {
    const delta = random(20) === 0 ? DELTA_LIMIT - 2 + random(4) : random(1000);
    const words = 2 + random(maxWords);
    const first = number === 0;
    const at = writer.reserve(words * 4 - random(4), ts + delta);
    const kept = model.write(number, eventBytes(words, delta >= DELTA_LIMIT && !first), eventBytes(words, false));
    assert.equal(at >= 0, kept);
    if (!kept) return;
    ts += delta;
    fillEvent(writer, at, words, number++);
    writer.commit();
  };
  const actions: (() => void)[] = [
    () => {
      for (let i = random(200); i > 0; i--) write();
    },
    () => {
      for (let i = random(200); i > 0; i--) {
        const expected = model.peek();
        assert.equal(reader.peek(), expected !== undefined);
        if (expected === undefined) return;
        assert.equal(seededEvent(reader.words, reader.payload, reader.length), expected);
        reader.consume();
        model.consume();
      }
    },
    () => {
      const page = new Uint8Array(subbufBytes);
      const full = random(2) === 0;
      const expected = model.readPage(full);
      assert.equal(reader.readPage(page, full), expected !== undefined);
      if (expected === undefined) return;
      const words = new Uint32Array(page.buffer);
      checkStructure(words, 0, words.length);
      const cursor = new PageCursor().open(words, 0);
      const numbers: number[] = [];
      while (cursor.next()) numbers.push(seededEvent(words, cursor.payload, cursor.length));
      assert.deepEqual(numbers, expected);
    },
    () => {
      const snapshot = reader.snapshot();
      const numbers: number[] = [];
      while (snapshot.next()) numbers.push(seededEvent(snapshot.words, snapshot.payload, snapshot.length));
      assert.deepEqual(numbers, model.inside());
    },
    () => {
      if (random(10) > 0) return;
      reader.clear();
      model.clear();
    },
    () => {
      model.overwrite = reader.overwrite = random(2) === 0;
    },
    () => {
      if (random(5) > 0) return;
      const newSize = randomSize();
      const target = createRingBuffer(newSize, subbufBytes);
      reader.expectMove(target);
      assert.ok(writer.moveTo(target));
      assert.equal(reader.moving, false);
      model.resize(pagesFor(newSize, subbufBytes));
    },
    () => {
      writer = new RingBufferWriter(reader.memory);
    },
    () => {
      const { entries, overrun, droppedEvents, readEvents } = reader.stats(ts);
      assert.deepEqual(
        { entries, overrun, droppedEvents, readEvents },
        { entries: model.inside().length, overrun: model.overrun, droppedEvents: model.dropped, readEvents: model.read },
      );
    },
  ];
  for (let step = 0; step < STEPS; step++) actions[random(actions.length)]!();
}
