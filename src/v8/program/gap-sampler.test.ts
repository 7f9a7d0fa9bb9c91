import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { GapSampler } from './gap-sampler.js';

const REQUEST = { widthUs: 10, thresholdUs: 10, max: new SharedArrayBuffer(256) };

async function samplesOf(ask: (sampler: GapSampler) => void): Promise<number> {
  let samples = 0;
  const sampler = new GapSampler(1, () => {
    samples++;
    return undefined;
  });
  ask(sampler);
  for (let i = 0; i < 20; i++) await turn();
  return samples;
}

test('samples that are asked for before the loop comes round are one', async () => {
  const samples = await samplesOf((sampler) => {
    for (let i = 0; i < 9; i++) sampler.sample(REQUEST);
  });
  assert.equal(samples, 1);
});

test('a sample that has not begun can be cancelled, and asked for again', async () => {
  assert.equal(
    await samplesOf((sampler) => {
      sampler.sample(REQUEST);
      sampler.cancel();
    }),
    0,
  );
  assert.equal(
    await samplesOf((sampler) => {
      sampler.sample(REQUEST);
      sampler.cancel();
      sampler.sample(REQUEST);
    }),
    1,
  );
});
