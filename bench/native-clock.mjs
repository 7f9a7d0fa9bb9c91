// How far the two clocks of a graph of JavaScript and native text are apart: the one that native text reads (the time stamp counter, with
// the rate that is measured each second) and the one that JavaScript reads. `npm run bench native-clock`; `node bench/native-clock.mjs 3600` for an hour.
import { setTimeout as sleep } from 'node:timers/promises';

const built = (file) => import(new URL(`../build/src/${file}`, import.meta.url));
const { OwnProcess } = await built('arch/native/addon/own-process.js');
const { TscClock } = await built('arch/native/control/tsc-clock.js');
const { convertTsc } = await built('arch/native/control/tsc-rate.js');
const { CLOCK, GATE } = await built('arch/native/code/arena.js');
const { traceClock } = await built('ring-buffer/clock.js');

const SECONDS = Number(process.argv[2] ?? 20);
const EVERY = 20;
const PAIRS = 32;

const own = new OwnProcess();
const words = new Map();
const arena = { start: 0, setLong: (at, value) => words.set(at, BigInt(value)), setWord: (at, value) => words.set(at, value) };
const clock = new TscClock(arena, () => own.rdtsc());

/** Nanoseconds from JavaScript's clock to that of native text, by the pair of readings that were closest together. */
function apart() {
  const at = words.get(GATE.CLOCK);
  const [base, multiplier, offset] = [CLOCK.BASE, CLOCK.MULTIPLIER, CLOCK.OFFSET].map((word) => words.get(at + word));
  let best = { gap: Number.POSITIVE_INFINITY, difference: 0 };
  for (let i = 0; i < PAIRS; i++) {
    const before = traceClock();
    const tsc = own.rdtsc();
    const after = traceClock();
    if (after - before >= best.gap) continue;
    const native = convertTsc({ base, multiplier, offset }, tsc);
    best = { gap: after - before, difference: native - (before + after) / 2 };
  }
  return Math.abs(best.difference);
}

const samples = [];
const end = traceClock() + SECONDS * 1e9;
while (traceClock() < end) {
  await sleep(EVERY);
  samples.push(apart());
}
clock.end();
samples.sort((a, b) => a - b);
const at = (part) => Math.round(samples[Math.min(samples.length - 1, Math.floor(samples.length * part))]);
console.log(
  `clocks of JavaScript and native text, ${samples.length} readings in ${SECONDS} s: ${at(0.5)} ns apart (median), ${at(0.99)} (99 %), ${at(1)} (most)`,
);
