import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DurationHistogram } from './duration-histogram.js';
import { DurationHistograms } from './duration-histograms.js';

const PARTS = [0, 0.01, 0.5, 0.9, 0.99, 1];

/** What a histogram says of its durations. */
const said = (histogram: DurationHistogram) => [histogram.count, ...PARTS.map((part) => histogram.quantile(part))];

/** Durations from 1 ns to some minutes, each a few per cent longer than the one before. */
const duration = (n: number): number => Math.floor(1.05 ** (n % 500));

test('each histogram is that of its own durations, however many they are, and whenever it is asked', () => {
  const together = new DurationHistograms();
  const alone = new Map<number, DurationHistogram>();
  for (let n = 0; n < 20_000; n++) {
    // Of index 0 each second duration, of index 1 each fourth, and so on.
    const index = Math.clz32((n + 1) & -(n + 1)) ^ 31;
    let own = alone.get(index);
    if (own === undefined) alone.set(index, (own = new DurationHistogram()));
    own.add(duration(n * 7));
    together.add(index, duration(n * 7));
    if (n % 997 === 0) assert.deepEqual(said(together.of(index)), said(own), `index ${index} after ${n + 1} durations`);
  }
  for (const [index, own] of alone) assert.deepEqual(said(together.of(index)), said(own), `index ${index}`);
});

test('an index without durations has a count of 0', () => {
  const together = new DurationHistograms();
  together.add(3, 1000);
  for (const index of [0, 3, 4, 1000]) assert.equal(together.of(index).count, index === 3 ? 1 : 0);
});
