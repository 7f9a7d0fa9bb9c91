import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../base/testing/random.js';
import { createRingBuffer, DEFAULT_SUBBUF_BYTES } from './create-ring-buffer.js';
import { PageCursor } from './decode.js';
import { DELTA_LIMIT } from './event-word.js';
import { MergedReader } from './merged-reader.js';
import { RingBufferReader } from './reader.js';
import { checkStructure } from './testing/checked-reader.js';
import { fillEvent, seededEvent } from './testing/seeded-event.js';
import { RingBufferWriter } from './writer.js';

interface Event {
  readonly number: number;
  readonly ts: number;
}

/** Some rings, read as one. */
class Rings {
  readonly readers: readonly RingBufferReader[];
  readonly merged: MergedReader;
  readonly #writers: readonly RingBufferWriter[];
  readonly #page = new Uint8Array(DEFAULT_SUBBUF_BYTES);

  constructor(bytes = 1 << 16, overwrite = true, count = 2) {
    const memories = Array.from({ length: count }, () => createRingBuffer(bytes, DEFAULT_SUBBUF_BYTES, { overwrite }));
    this.#writers = memories.map((memory) => new RingBufferWriter(memory));
    this.readers = memories.map((memory) => new RingBufferReader(memory));
    const [first, ...others] = this.readers;
    this.merged = new MergedReader(first!, ...others);
  }

  write(ring: number, { number, ts }: Event, words = 3): void {
    const writer = this.#writers[ring]!;
    const at = writer.reserve(words * 4, ts);
    assert.ok(at > 0);
    fillEvent(writer, at, words, number);
    writer.commit();
  }

  event(): Event | undefined {
    const { merged } = this;
    if (!merged.peek()) return undefined;
    const words = new Uint32Array(merged.bytes.buffer);
    const event = { number: seededEvent(words, merged.payload, merged.length), ts: merged.ts };
    merged.consume();
    return event;
  }

  /** The events of a page, with how many were lost before it; undefined when there is none. */
  page(full = false): { lost: number; events: Event[] } | undefined {
    const page = this.#page.fill(0xff);
    if (!this.merged.readPage(page, full)) return undefined;
    const words = new Uint32Array(page.buffer);
    checkStructure(words, 0, words.length);
    const cursor = new PageCursor(words).open(words, 0);
    const events: Event[] = [];
    while (cursor.next()) events.push({ number: seededEvent(words, cursor.payload, cursor.length), ts: cursor.ts });
    assert.ok(events.length > 0, 'a page holds something');
    return { lost: cursor.missed, events };
  }

  snapshot(): Event[] {
    const snapshot = this.merged.snapshot();
    const events: Event[] = [];
    while (snapshot.next())
      events.push({ number: seededEvent(snapshot.words, snapshot.payload, snapshot.length), ts: snapshot.ts });
    return events;
  }
}

test('the events of two rings are read in the order of time, one by one, by pages and in snapshots, mixed as they may be', () => {
  for (let seed = 1; seed <= 30; seed++) {
    const random = seededRandom(seed);
    const rings = new Rings(1 << 21);
    const maxWords = [4, 40, 300][random(3)]!;
    const rare = 1 + random(60);
    const written: Event[] = [];
    const read: Event[] = [];
    let ts = 2 ** 40;
    for (let step = 0; step < 200; step++) {
      for (let i = random(20); i > 0; i--) {
        ts += random(20) === 0 ? DELTA_LIMIT - 2 + random(4) : random(1000);
        const event = { number: written.length, ts };
        written.push(event);
        // Of equal times the first ring's come first.
        if (random(rare) === 0 && ts > (written.at(-2)?.ts ?? 0))
          rings.write(1, { number: event.number, ts }, 2 + random(maxWords));
        else if (written.at(-2)?.ts === ts) written.pop();
        else rings.write(0, event, 2 + random(maxWords));
      }
      const kind = random(8);
      if (kind === 0) read.push(...(rings.page()?.events ?? []));
      else if (kind < 3) read.push(...(rings.page(true)?.events ?? []));
      else if (kind < 5) for (let i = random(20); i > 0 && !rings.merged.isEmpty(); i--) read.push(rings.event()!);
      else if (kind === 5 && step % 10 === 0) assert.deepEqual(rings.snapshot(), written.slice(read.length), `seed ${seed}`);
    }
    for (let page = rings.page(); page; page = rings.page()) read.push(...page.events);
    assert.deepEqual(read, written, `seed ${seed}`);
    assert.deepEqual([rings.merged.stats(0).readEvents, rings.merged.stats(0).entries], [written.length, 0]);
  }
});

test('a page says how many events were lost before it', () => {
  const rings = new Rings(2 * DEFAULT_SUBBUF_BYTES);
  rings.write(1, { number: 0, ts: 500 });
  const total = 5000;
  for (let number = 1; number < total; number++) rings.write(0, { number, ts: 1000 * number });
  rings.write(1, { number: total, ts: 1000 * total });
  let lost = 0;
  let found = 0;
  for (let page = rings.page(); page; page = rings.page()) {
    lost += page.lost;
    found += page.events.length;
  }
  assert.ok(lost > 0);
  assert.equal(lost + found, total + 1);
});

test('of full pages only, nothing is taken from one that is being written to', () => {
  const rings = new Rings();
  rings.write(0, { number: 0, ts: 1000 });
  rings.write(1, { number: 1, ts: 2000 });
  assert.equal(rings.page(true), undefined);
  let number = 2;
  for (; !rings.readers[0]!.hasFullPage(); number++) rings.write(0, { number, ts: 1000 * (number + 1) });
  const read: number[] = [];
  for (let page = rings.page(true); page; page = rings.page(true)) read.push(...page.events.map((event) => event.number));
  assert.deepEqual(read, [...Array(number - 1).keys()]);
});

test('an event that was looked at stays the next one, also when an older one comes', () => {
  const rings = new Rings();
  rings.write(1, { number: 1, ts: 2000 });
  assert.ok(rings.merged.peek());
  const { number } = rings.merged;
  rings.write(0, { number: 0, ts: 1000 });
  assert.ok(rings.merged.peek());
  assert.equal(rings.merged.number, number);
  assert.deepEqual([rings.event()?.number, rings.event()?.number, rings.event()], [1, 0, undefined]);
});

test('both rings are cleared, counted and waited for', async () => {
  const rings = new Rings();
  const { merged } = rings;
  const woken = merged.nextEvent(60_000);
  rings.write(1, { number: 1, ts: 2000 });
  await woken;
  rings.write(0, { number: 0, ts: 3000 });
  assert.deepEqual([merged.isEmpty(), merged.stats(0).entries, merged.stats(0).oldestEventTs], [false, 2, 2000]);
  merged.clear();
  assert.deepEqual([merged.isEmpty(), merged.stats(0).entries], [true, 0]);
});

test('three rings are read as two are', () => {
  const rings = new Rings(1 << 16, true, 3);
  const events = Array.from({ length: 500 }, (_, number) => ({ number, ts: 1000 * (number + 1) }));
  for (const event of events) rings.write((event.number * 7) % 3, event);
  assert.deepEqual(rings.snapshot(), events);
  const numbers = events.slice(0, 3).map(({ number, ts }) => {
    assert.ok(rings.merged.peek());
    assert.equal(rings.merged.ts, ts);
    rings.merged.consume();
    return number;
  });
  const read = [...numbers];
  for (let page = rings.page(); page; page = rings.page()) read.push(...page.events.map(({ number }) => number));
  assert.deepEqual(read, [...events.keys()]);
  assert.deepEqual([rings.merged.stats(0).readEvents, rings.merged.stats(0).entries], [500, 0]);
});

test('what a thread writes to several rings while they are looked at comes in its order', () => {
  for (const method of ['event', 'page'] as const) {
    const rings = new Rings();
    const [first] = rings.readers;
    let isWritten = false;
    // The thread writes to the first ring, then to the second, right after it was seen that the first is empty.
    for (const look of ['peek', 'isEmpty', 'hasFullPage'] as const) {
      const seen = first![look].bind(first);
      first![look] = () => {
        const answer = seen();
        if (!isWritten && look !== 'hasFullPage') {
          isWritten = true;
          rings.write(0, { number: 0, ts: 1000 });
          rings.write(1, { number: 1, ts: 2000 });
        }
        return answer;
      };
    }
    const read: number[] = [];
    for (let turn = 0; turn < 3; turn++) {
      if (method === 'event') read.push(...[rings.event()?.number ?? []].flat());
      else read.push(...(rings.page()?.events ?? []).map(({ number }) => number));
    }
    assert.deepEqual(read, [0, 1], method);
  }
});
