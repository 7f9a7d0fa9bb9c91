import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { seededRandom } from '../base/testing/random.js';
import { createRingBuffer } from './create-ring-buffer.js';
import { RingBufferReader } from './reader.js';
import { CheckedReader } from './testing/checked-reader.js';
import type { StressWriterData, StressWriterResult } from './testing/stress-writer.js';

const SEED = Number(process.env['SEED'] ?? 1);
const MILLISECONDS = Number(process.env['STRESS_MS'] ?? 700);
const SUBBUF_BYTES = 4096;

interface Stress {
  readonly overwrite: boolean;
  readonly pages: number;
  readonly maxWords: number;
  /** Whether the ring is moved to memories of other sizes meanwhile. */
  readonly moves?: boolean;
  /** Whether it is cleared meanwhile. */
  readonly clears?: boolean;
}

const STRESSES: readonly Stress[] = [
  { overwrite: true, pages: 2, maxWords: 2 },
  { overwrite: true, pages: 3, maxWords: 28 },
  { overwrite: true, pages: 64, maxWords: 60 },
  { overwrite: false, pages: 2, maxWords: 6 },
  { overwrite: false, pages: 16, maxWords: 200 },
  { overwrite: true, pages: 8, maxWords: 12, moves: true },
  { overwrite: true, pages: 4, maxWords: 6, clears: true },
];

for (const [index, stress] of STRESSES.entries()) {
  test(`each event is read, lost and counted, refused, or inside: ${JSON.stringify(stress)}`, async () => {
    const random = seededRandom(SEED * 100 + index);
    const memory = createRingBuffer(stress.pages * (SUBBUF_BYTES - 16), SUBBUF_BYTES, { overwrite: stress.overwrite });
    const stop = new SharedArrayBuffer(4);
    const workerData: StressWriterData = { memory, seed: SEED, maxWords: stress.maxWords, stop };
    const worker = new Worker(new URL('./testing/stress-writer.js', import.meta.url), { workerData });
    await once(worker, 'message');
    const ended = once(worker, 'message') as Promise<[StressWriterResult]>;

    const reader = new RingBufferReader(memory);
    const checked = new CheckedReader(reader);
    const actions = [
      () => {
        for (let i = random(2000); i > 0 && checked.readEvent(); i--);
      },
      () => {
        for (let i = random(50); i > 0 && checked.readPage(i % 2 === 0); i--);
      },
      () => checked.readSnapshot(),
      () => {
        const { entries, bytes } = reader.stats(0);
        assert.ok(entries >= 0 && bytes >= 0, `${entries} entries, ${bytes} bytes`);
      },
      () => {
        if (!stress.moves || reader.isMoving()) return;
        const target = createRingBuffer((1 + random(16)) * (SUBBUF_BYTES - 16), SUBBUF_BYTES);
        reader.expectMove(target);
        worker.postMessage(target);
      },
      () => {
        if (!stress.clears) return;
        checked.clear();
        // A page's lost events have room on it only most times, an event's always.
        while (!checked.readEvent());
      },
    ];
    try {
      const end = Date.now() + MILLISECONDS;
      // On a busy machine the writer may have had no turn by then.
      while (Date.now() < end || checked.read === 0) {
        actions[random(actions.length)]!();
        if (random(10) === 0) await turn();
      }
    } finally {
      Atomics.store(new Int32Array(stop), 0, 1);
    }
    const [{ written, refused }] = await ended;
    const inside = checked.readSnapshot();
    const { entries, overrun, droppedEvents, readEvents } = reader.stats(0);

    assert.ok(inside.lost <= overrun);
    assert.equal(inside.events, entries);
    assert.equal(readEvents, checked.read);
    assert.equal(droppedEvents, refused);
    assert.equal(checked.cleared + readEvents + overrun + entries, written);
    while (checked.readEvent());
    assert.equal(checked.cleared + checked.read + checked.lost, written);
    assert.equal(checked.lost, overrun);
    assert.ok(checked.read > 0);
    if (!stress.overwrite) assert.equal(overrun, 0);
  });
}
