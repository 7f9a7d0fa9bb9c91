import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { traceClock } from './clock.js';

/** How far a clock that is calibrated against hrtime() may be off. */
const NANOSECONDS = 1000;

test('the clock tells CLOCK_MONOTONIC in whole nanoseconds', () => {
  const before = Number(process.hrtime.bigint());
  const now = traceClock();
  const after = Number(process.hrtime.bigint());
  assert.ok(Number.isSafeInteger(now));
  assert.ok(before - NANOSECONDS <= now && now <= after + NANOSECONDS, `${before} <= ${now} <= ${after}`);
});

test('a thread reads the time that the others read', async () => {
  const source = `
    const { parentPort } = require('node:worker_threads');
    import(${JSON.stringify(new URL('./clock.js', import.meta.url).href)}).then(({ traceClock }) => parentPort.postMessage(traceClock()));
  `;
  const before = traceClock();
  const [now] = (await once(new Worker(source, { eval: true }), 'message')) as [number];
  assert.ok(before - NANOSECONDS < now && now < traceClock() + NANOSECONDS);
});

test('fake timers do not reach the clock', () => {
  const { now } = performance;
  const { hrtime } = process;
  try {
    performance.now = () => 0;
    process.hrtime = Object.assign((): [number, number] => [0, 0], { bigint: () => 0n });
    assert.ok(traceClock() > 0);
  } finally {
    performance.now = now;
    process.hrtime = hrtime;
  }
});
