import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { traceClock } from '../../ring-buffer/index.js';
import { LocalProcess } from '../addon/local-process.js';
import { CLOCK, GATE } from '../code/arena.js';
import { LOCAL_MACHINE } from '../machines/machines.js';
import { TscClock } from './tsc-clock.js';
import { convertTsc } from './tsc-rate.js';

/** How far apart the clocks of one graph may be, in nanoseconds. */
const BOUND = 200;
const ROUNDS = 60;
const READINGS = 1000;

const skip =
  process.arch !== 'x64'
    ? 'the machine code is x86-64'
    : /\bconstant_tsc\b/.test(readFileSync('/proc/cpuinfo', 'utf8'))
      ? false
      : 'the time stamp counter of this machine is not constant';

test('native text’s clock is between the readings of JavaScript’s that it is read between, from the start', {
  skip,
}, async () => {
  const local = new LocalProcess();
  const words = new Map<number, bigint>();
  const store = (at: number, value: number | bigint): void => void words.set(at, BigInt(value));
  const clock = new TscClock({ start: 0, setLong: store, setWord: store }, () => local.readClocks());
  const at = (word: number): bigint => words.get(Number(words.get(GATE.CLOCK)) + word)!;
  const native = (tsc: bigint): number =>
    convertTsc(
      { base: at(CLOCK.BASE), multiplier: at(CLOCK.MULTIPLIER), offset: at(CLOCK.OFFSET), shift: LOCAL_MACHINE.clockShift },
      tsc,
    );
  let worst = 0;
  for (let round = 0; round < ROUNDS; round++) {
    for (let i = 0; i < READINGS; i++) {
      const before = traceClock();
      const tsc = local.rdtsc();
      const after = traceClock();
      const between = native(tsc);
      worst = Math.max(worst, before - between, between - after);
    }
    await sleep(10);
  }
  clock.end();
  assert.ok(worst < BOUND, `${worst} ns outside`);
});
