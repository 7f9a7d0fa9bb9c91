// How far the two clocks of a graph of JavaScript and native text are apart: the one that native text reads (the time stamp
// counter, with the rate that the host measures) and CLOCK_MONOTONIC, which JavaScript reads. `npm run bench native-clock`;
// `node bench/native-clock.mjs 3600` for an hour.
import { setTimeout as sleep } from 'node:timers/promises';

const built = (file) => import(new URL(`../build/src/${file}`, import.meta.url));
const { LocalProcess } = await built('native/addon/local-process.js');
const { TscClock } = await built('native/control/tsc-clock.js');
const { convertTsc } = await built('native/control/tsc-rate.js');
const { CLOCK, GATE } = await built('native/code/arena.js');
const { LOCAL_MACHINE } = await built('native/machines/machines.js');
const { traceClock } = await built('ring-buffer/clock.js');

const SECONDS = Number(process.argv[2] ?? 20);
const EVERY = 5;
/** Readings of native text's clock between two of JavaScript's, at each sample. */
const BETWEEN = 500;

const local = new LocalProcess();
const words = new Map();
const arena = { start: 0, setLong: (at, value) => words.set(at, BigInt(value)), setWord: (at, value) => words.set(at, value) };
const clock = new TscClock(arena, () => local.readClocks());

function native(tsc) {
  const at = words.get(GATE.CLOCK);
  const [base, multiplier, offset] = [CLOCK.BASE, CLOCK.MULTIPLIER, CLOCK.OFFSET].map((word) => words.get(at + word));
  return convertTsc({ base, multiplier, offset, shift: LOCAL_MACHINE.clockShift }, tsc);
}

/** Nanoseconds from CLOCK_MONOTONIC to the clock of native text, both read by machine code. */
function apart() {
  const { tsc, ns } = local.readClocks();
  return Math.abs(native(tsc) - ns);
}

/**
 * By how many nanoseconds a reading of native text's clock lies outside of the two readings of JavaScript's that it was made
 * between.
 */
function outside() {
  const before = traceClock();
  const tsc = local.rdtsc();
  const after = traceClock();
  const between = native(tsc);
  return Math.max(0, before - between, between - after);
}

const samples = [];
let most = 0;
let readings = 0;
const end = traceClock() + SECONDS * 1e9;
while (traceClock() < end) {
  samples.push(apart());
  for (let i = 0; i < BETWEEN; i++) most = Math.max(most, outside());
  readings += BETWEEN;
  await sleep(EVERY);
}
clock.end();
samples.sort((a, b) => a - b);
const at = (part) => Math.round(samples[Math.min(samples.length - 1, Math.floor(samples.length * part))]);
console.log(
  `clocks of JavaScript and native text, ${samples.length} readings in ${SECONDS} s: ${at(0.5)} ns apart (median), ${at(0.99)} (99 %), ${at(1)} (most); ` +
    `of ${readings} readings between two of the other clock, the worst lay ${Math.round(most)} ns outside`,
);
