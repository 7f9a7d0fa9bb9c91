import assert from 'node:assert/strict';
import { it } from 'node:test';
import { seededRandom } from '../../base/testing/random.js';
import { LOCAL_MACHINE } from '../machines/machines.js';
import { convertTsc, type TscConversion, TscRate, untilNextReading } from './tsc-rate.js';

const SECOND = 1e9;
const MS = 1e6;
const HERTZ = 2.5;
/** How far off a reading is at most, in nanoseconds: half of what it takes, and more. */
const JITTER = 40;
/**
 * Parts in a thousand million by which the clock's rate moves, to and fro in ten minutes: more than NTP does once it follows a
 * server.
 */
const SLEWED = 500;
const PERIOD = 600 * SECOND;
const BOUND = 200;
const SEEDS = Array.from({ length: 10 }, (_, i) => i);

/** CLOCK_MONOTONIC when the counter has counted so many nanoseconds. */
const slewed = (ns: number): number =>
  ns + ((SLEWED * 1e-9 * PERIOD) / (2 * Math.PI)) * (1 - Math.cos((2 * Math.PI * ns) / PERIOD));

/**
 * How far the converted times of an hour are off at most, from the first rate on. `next` is the time from a reading to the next.
 */
function worstOfAnHour(next: (age: number) => number, seed = 7): number {
  const random = seededRandom(seed);
  const jitter = (): number => random(2 * JITTER + 1) - JITTER;
  const rate = new TscRate(LOCAL_MACHINE.clockShift);
  const tscAt = (ns: number): bigint => BigInt(Math.round(ns * HERTZ));
  const read = (ns: number): TscConversion | undefined => rate.add({ tsc: tscAt(ns), ns: Math.round(slewed(ns) + jitter()) });
  const off = (conversion: TscConversion, ns: number): number => Math.abs(convertTsc(conversion, tscAt(ns)) - slewed(ns));
  read(0);
  let now = untilNextReading(0) * MS;
  let worst = 0;
  while (now < 3600 * SECOND) {
    const conversion = read(now)!;
    // What is read later is further off than what is read now.
    now += next(now / MS) * MS;
    worst = Math.max(worst, off(conversion, now));
  }
  return worst;
}

it('keeps the counter’s times within 200 ns of a clock that is slewed, for an hour', () => {
  const worst = Math.max(...SEEDS.map((seed) => worstOfAnHour(untilNextReading, seed)));
  assert.ok(worst < BOUND, `${worst} ns`);
});

it('would lose the clock in the first second if it measured each second alone', () => {
  const worst = Math.max(...SEEDS.map((seed) => worstOfAnHour(() => 1000, seed)));
  assert.ok(worst > BOUND, `${worst} ns`);
});

it('would lose the clock without measuring again', () => {
  const worst = worstOfAnHour(() => 4e6);
  assert.ok(worst > 1000 * BOUND, `${worst} ns`);
});

it('has no rate after one reading', () => {
  assert.equal(new TscRate(LOCAL_MACHINE.clockShift).add({ tsc: 5n, ns: 5 }), undefined);
});
