import assert from 'node:assert/strict';
import { it } from 'node:test';
import { seededRandom } from '../../../base/testing/random.js';
import { OWN_MACHINE } from '../machine/machines.js';
import { convertTsc, type TscConversion, TscRate } from './tsc-rate.js';

const SECOND = 1e9;
const HERTZ = 2.5;
/** How far off a reading is at most, in nanoseconds: half of what a pair of readings takes. */
const JITTER = 40;
/** Parts in a thousand million by which the clock's rate moves, to and fro in ten minutes: more than NTP does once it follows a server. */
const SLEWED = 500;
const PERIOD = 600 * SECOND;
const BOUND = 200;

/** CLOCK_MONOTONIC when the counter has counted so many nanoseconds. */
const slewed = (ns: number): number =>
  ns + ((SLEWED * 1e-9 * PERIOD) / (2 * Math.PI)) * (1 - Math.cos((2 * Math.PI * ns) / PERIOD));

/** How far the converted times of an hour are off at most, measured again so often. */
function worstOfAnHour(again: number): number {
  const random = seededRandom(7);
  const jitter = (): number => random(2 * JITTER + 1) - JITTER;
  const rate = new TscRate(OWN_MACHINE.clockShift);
  const tscAt = (ns: number): bigint => BigInt(Math.round(ns * HERTZ));
  const read = (ns: number): TscConversion | undefined => rate.add({ tsc: tscAt(ns), ns: Math.round(slewed(ns) + jitter()) });
  read(0);
  let conversion = read(0.03 * SECOND)!;
  let next = again;
  let worst = 0;
  for (let second = 1; second <= 3600; second++) {
    const end = second * SECOND;
    // The first readings are close together.
    if (second > 5) worst = Math.max(worst, Math.abs(convertTsc(conversion, tscAt(end - 1)) - slewed(end - 1)));
    if (end < next) continue;
    conversion = read(end)!;
    next += again;
  }
  return worst;
}

it('keeps the counter’s times within 200 ns of a clock that is slewed, for an hour', () => {
  const worst = worstOfAnHour(SECOND);
  assert.ok(worst < BOUND, `${worst} ns`);
});

it('would lose the clock without measuring again', () => {
  const worst = worstOfAnHour(4000 * SECOND);
  assert.ok(worst > 1000 * BOUND, `${worst} ns`);
});

it('has no rate after one reading', () => {
  assert.equal(new TscRate(OWN_MACHINE.clockShift).add({ tsc: 5n, ns: 5 }), undefined);
});
