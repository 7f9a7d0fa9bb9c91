import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../base/testing/random.js';
import { pagesFor } from './create-ring-buffer.js';
import { PageCursor } from './decode.js';
import { COMMIT_MASK, COMMIT_WORD, DELTA_LIMIT, dataBytes, MAX_SMALL_WORDS } from './event-word.js';
import { RingBufferReader } from './reader.js';
import { checkStructure } from './testing/checked-reader.js';
import { type ModelEvent, RingModel } from './testing/model.js';
import { type CreateMemory, RING_MEMORIES } from './testing/ring-memories.js';
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

/** What a reader is to find of an event. */
const seen = ({ number, ts }: ModelEvent) => ({ number, ts });

for (const { name, create } of RING_MEMORIES) {
  test(`${name}: events are read as a simple model reads them, in any order of writes, reads, clears, switches, moves and new writers`, () => {
    for (let round = 0; round < ROUNDS; round++) {
      const seed = SEED * 1000 + round;
      try {
        playRound(seed, create);
      } catch (cause) {
        throw new Error(`seed ${seed}`, { cause });
      }
    }
  });
}

function playRound(seed: number, create: CreateMemory): void {
  const random = seededRandom(seed);
  const subbufBytes = [4096, 8192][random(2)]!;
  const randomSize = () => (1 + random(6)) * subbufBytes;
  const size = randomSize();
  const maxWords = [8, 40, 300][random(3)]!;
  const memory = create(size, subbufBytes);
  let writer = new RingBufferWriter(memory.buffer);
  const reader = new RingBufferReader(memory);
  const model = new RingModel(pagesFor(size, subbufBytes), dataBytes(subbufBytes));
  let clock = 2 ** 40;
  /** The time of the last event that the writer knows of. */
  let last = 0;
  let number = 0;
  /** The event that is read next unless some were overwritten. */
  let next = 0;

  const write = () => {
    clock += random(20) === 0 ? DELTA_LIMIT - 2 + random(4) : random(1000);
    // Sometimes the clock goes back.
    const now = clock - (random(10) === 0 ? random(1000) : 0);
    const ts = Math.max(last, now);
    const words = 2 + random(maxWords);
    const bytes = words * 4 - random(4);
    const at = random(2) === 0 ? writer.reserveText(bytes, now) : writer.reserve(bytes, now);
    const kept = model.write(number, ts, eventBytes(words, ts - last >= DELTA_LIMIT), eventBytes(words, false));
    assert.equal(at >= 0, kept);
    if (!kept) return;
    if (random(10) === 0) {
      writer.discard();
      model.discard();
      // A page keeps the time that its first event gave it, though that one is gone.
      if (model.isTailEmpty) last = ts;
      return;
    }
    last = ts;
    if (random(10) > 0) {
      fillEvent(writer, at, words, number++);
      writer.commit();
      return;
    }
    const shorter = 2 + random(words - 1);
    fillEvent(writer, at, shorter, number++);
    writer.commitShorter(shorter * 4);
    model.shorten((Math.max(3, words) - shorter) * 4);
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
        const found = { number: seededEvent(reader.words, reader.payload, reader.length), ts: reader.ts };
        assert.deepEqual({ ...found, lost: reader.lost }, { ...seen(expected), lost: expected.number - next });
        next = expected.number + 1;
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
      const found: unknown[] = [];
      while (cursor.next()) found.push({ number: seededEvent(words, cursor.payload, cursor.length), ts: cursor.ts });
      assert.deepEqual(found, expected!.map(seen));
      const lost = expected![0]!.number - next;
      const hasRoom = (words[COMMIT_WORD]! & COMMIT_MASK) <= dataBytes(subbufBytes) - 8;
      assert.equal(cursor.missed, lost === 0 || hasRoom ? lost : -1);
      next = expected!.at(-1)!.number + 1;
    },
    () => {
      const snapshot = reader.snapshot();
      const found: unknown[] = [];
      while (snapshot.next()) {
        found.push({ number: seededEvent(snapshot.words, snapshot.payload, snapshot.length), ts: snapshot.ts });
      }
      assert.deepEqual(found, model.inside().map(seen));
    },
    () => {
      if (random(10) > 0) return;
      reader.clear();
      model.clear();
      next = number;
    },
    () => {
      model.overwrite = reader.overwrite = random(2) === 0;
    },
    () => {
      if (random(5) > 0) return;
      const newSize = randomSize();
      const target = create(newSize, subbufBytes);
      reader.expectMove(target);
      assert.ok(writer.moveTo(target.buffer));
      assert.equal(reader.isMoving(), false);
      model.resize(pagesFor(newSize, subbufBytes));
    },
    () => {
      writer = new RingBufferWriter(reader.memory);
      if (model.isTailEmpty) last = 0;
    },
    () => {
      const { entries, overrun, droppedEvents, readEvents } = reader.stats(last);
      assert.deepEqual(
        { entries, overrun, droppedEvents, readEvents },
        { entries: model.inside().length, overrun: model.overrun, droppedEvents: model.dropped, readEvents: model.read },
      );
    },
  ];
  for (let step = 0; step < STEPS; step++) actions[random(actions.length)]!();
}
