import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createRingBuffer, DEFAULT_SUBBUF_BYTES, RingBufferReader, RingBufferWriter } from './index.js';
import type { RingBufferSnapshot } from './snapshot.js';
import { createSnapshotMemory, forgetSnapshots, loadSnapshot, loadSnapshots, storeSnapshot } from './stored-snapshot.js';

/** A ring with events at 1, 2, ... `count`, each holding its number. */
function ringWith(count: number): RingBufferReader {
  const memory = createRingBuffer(8 * DEFAULT_SUBBUF_BYTES);
  const writer = new RingBufferWriter(memory);
  for (let i = 1; i <= count; i++) {
    const at = writer.reserve(12, i);
    writer.u32[at] = i;
    writer.commit();
  }
  return new RingBufferReader(memory);
}

function numbers(snapshot: RingBufferSnapshot): number[] {
  const found: number[] = [];
  while (snapshot.next()) found.push(snapshot.words[snapshot.payload >> 2]!);
  return found;
}

describe('a stored snapshot', () => {
  it('gives the events that were stored', () => {
    const memory = createSnapshotMemory(10, DEFAULT_SUBBUF_BYTES);
    assert.equal(loadSnapshot(memory), undefined);
    const reader = ringWith(1000);
    assert.equal(storeSnapshot(memory, reader.snapshot(), 0), true);
    assert.deepEqual(numbers(loadSnapshot(memory)!), numbers(reader.snapshot()));
  });

  it('leaves out pages that are older than what matters', () => {
    const memory = createSnapshotMemory(10, DEFAULT_SUBBUF_BYTES);
    storeSnapshot(memory, ringWith(1000).snapshot(), 900);
    const loaded = loadSnapshot(memory)!;
    assert.ok(loaded.pages.length < 4);
    const found = numbers(loaded);
    assert.ok(found.includes(900) && found.includes(1000) && !found.includes(1));
  });

  it('goes on where a consumed page was left', () => {
    const memory = createSnapshotMemory(10, DEFAULT_SUBBUF_BYTES);
    const reader = ringWith(100);
    for (let i = 0; i < 40; i++) {
      reader.peek();
      reader.consume();
    }
    storeSnapshot(memory, reader.snapshot(), 0);
    assert.equal(numbers(loadSnapshot(memory)!)[0], 41);
  });

  it('takes the place of one that a terminated thread left half stored', () => {
    const memory = createSnapshotMemory(1, DEFAULT_SUBBUF_BYTES);
    storeSnapshot(memory, ringWith(3).snapshot(), 0);
    const words = new Int32Array(memory);
    words[0]! |= 1;
    assert.equal(loadSnapshot(memory), undefined);
    storeSnapshot(memory, ringWith(2).snapshot(), 0);
    assert.deepEqual(numbers(loadSnapshot(memory)!), [1, 2]);
  });

  it('stays beside others that are added, each with its label, until there is no room', () => {
    const memory = createSnapshotMemory(3, DEFAULT_SUBBUF_BYTES);
    const all = (): unknown[] => loadSnapshots(memory).map(({ label, snapshot }) => [label[0], numbers(snapshot).length]);
    storeSnapshot(memory, ringWith(1).snapshot(), 0, { isAdded: true, label: [10] });
    storeSnapshot(memory, ringWith(2).snapshot(), 0, { isAdded: true, label: [20] });
    assert.deepEqual(all(), [
      [10, 1],
      [20, 2],
    ]);
    const twoPages = ringWith(350).snapshot();
    assert.equal(twoPages.pages.length, 2);
    storeSnapshot(memory, twoPages, 0, { isAdded: true, label: [30] });
    assert.deepEqual(all(), [
      [20, 2],
      [30, 350],
    ]);
    storeSnapshot(memory, ringWith(3).snapshot(), 0, { label: [40] });
    assert.deepEqual(all(), [[40, 3]]);
  });

  it('is gone when the reader forgets it, and does not come back with the next', () => {
    const memory = createSnapshotMemory(3, DEFAULT_SUBBUF_BYTES);
    storeSnapshot(memory, ringWith(1).snapshot(), 0, { isAdded: true });
    forgetSnapshots(memory);
    assert.equal(loadSnapshot(memory), undefined);
    storeSnapshot(memory, ringWith(2).snapshot(), 0, { isAdded: true });
    assert.deepEqual(
      loadSnapshots(memory).map(({ snapshot }) => numbers(snapshot).length),
      [2],
    );
  });

  it('is refused if it does not fit, and the previous one stays', () => {
    const memory = createSnapshotMemory(1, DEFAULT_SUBBUF_BYTES);
    assert.equal(storeSnapshot(memory, ringWith(3).snapshot(), 0), true);
    assert.equal(storeSnapshot(memory, ringWith(1000).snapshot(), 0), false);
    assert.deepEqual(numbers(loadSnapshot(memory)!), [1, 2, 3]);
  });
});
