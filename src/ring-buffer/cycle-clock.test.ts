import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BASE, OFFSET, RATE, SPAN } from './clock.js';
import { Conversions, createConversions, readFirst } from './cycle-clock.js';

/** Nanoseconds of a count of the simulated counter. */
const RATE_NS = 0.385;
/** What a read of either clock takes. */
const READ_NS = 20;

/** A machine whose clocks go on by what a read takes, and by `pass`. */
class Machine {
  /** True time in nanoseconds. */
  time = 5e12;
  /** What CLOCK_MONOTONIC shows. */
  ns = 7e12;
  count = 9e12;
  /** By how much the system slews its clock. */
  slew = 0;
  isBroken = false;

  pass(ns: number): void {
    this.time += ns;
    this.ns += ns * (1 + this.slew);
    this.count += ns / RATE_NS;
  }

  readonly read = (): number => {
    this.pass(READ_NS);
    return this.isBroken ? -1 : Math.floor(this.count);
  };

  readonly monotonic = (): number => {
    this.pass(READ_NS);
    return Math.floor(this.ns);
  };
}

class Thread {
  readonly own = new Float64Array(4);
  readonly conversions: Conversions;
  readonly #machine: Machine;

  constructor(machine: Machine, memory: SharedArrayBuffer) {
    this.#machine = machine;
    this.conversions = new Conversions(memory, machine.read, machine.monotonic, this.own);
  }

  /** The time as traceClock computes it. */
  now(): number {
    const { own } = this;
    const since = this.#machine.read() - own[BASE]!;
    if (since >= 0 && since < own[SPAN]!) return Math.floor(since * own[RATE]! + own[OFFSET]!);
    return this.conversions.timeOf(this.conversions.renew());
  }
}

function begun(): { readonly machine: Machine; readonly memory: SharedArrayBuffer; readonly threads: readonly [Thread, Thread] } {
  const machine = new Machine();
  const memory = createConversions();
  const threads = [new Thread(machine, memory), new Thread(machine, memory)] as const;
  const first = readFirst(machine.read, machine.monotonic);
  machine.pass(2e6);
  threads[0].conversions.begin(first);
  return { machine, memory, threads };
}

/** The time of a thread, of which no thread must have shown a later one; and how far it is off. */
function follow(machine: Machine): (thread: Thread) => number {
  let last = 0;
  return (thread) => {
    const now = thread.now();
    assert.ok(now >= last, `${now} is before ${last}`);
    last = now;
    return Math.abs(now - machine.ns);
  };
}

/** A reading takes part of what a pair of readings takes. */
const BOUND = 3 * READ_NS;

test('times are those of CLOCK_MONOTONIC, of all threads in one order', () => {
  const { machine, threads } = begun();
  const off = follow(machine);
  let worst = 0;
  for (let i = 0; i < 20_000; i++) {
    worst = Math.max(worst, off(threads[i & 1]!));
    machine.pass(i % 100 === 0 ? 3e7 : 1e4);
  }
  assert.ok(worst < BOUND, `${worst} ns off`);
});

test('they follow a clock that is slewed, and never go back', () => {
  const { machine, threads } = begun();
  const off = follow(machine);
  for (const slew of [500e-6, -500e-6, 0]) {
    machine.slew = slew;
    let worst = 0;
    for (let i = 0; i < 4000; i++) {
      // Until it is known, for at most two conversions and the time in which the rate is measured.
      const ns = off(threads[i & 1]!);
      if (i > 2500) worst = Math.max(worst, ns);
      else assert.ok(ns < 1e5 + BOUND, `${ns} ns off`);
      machine.pass(1e6);
    }
    assert.ok(worst < BOUND, `${worst} ns off with ${slew}`);
  }
});

test('after a pause in which the counter went on, stood still or began anew they are right again', () => {
  const { machine, threads } = begun();
  const off = follow(machine);
  const [one, other] = threads;
  for (const change of [() => machine.pass(3600e9), () => (machine.ns += 3600e9), () => (machine.count = 1000)]) {
    machine.pass(1e8);
    off(one);
    change();
    if (machine.count > 1000) machine.pass(1e8);
    for (let i = 0; i < 2000; i++) {
      const ns = off(i & 1 ? one : other);
      if (i > 0) assert.ok(ns < BOUND, `${ns} ns off, ${i} readings after ${change}`);
      machine.pass(1e6);
    }
  }
});

test('a counter of another rate is measured anew', () => {
  const { machine, threads } = begun();
  const off = follow(machine);
  const [one] = threads;
  const read = machine.pass.bind(machine);
  machine.pass = (ns) => {
    const { count } = machine;
    read(ns);
    machine.count = count + (ns / RATE_NS) * 1.25;
  };
  let worst = 0;
  for (let i = 0; i < 3000; i++) {
    const ns = off(one);
    if (i > 2000) worst = Math.max(worst, ns);
    machine.pass(1e6);
  }
  assert.ok(worst < BOUND, `${worst} ns off`);
});

test('a thread that was ended while it made a conversion holds nobody up', () => {
  const { machine, memory, threads } = begun();
  const [one] = threads;
  // It has taken a number, and written half of what would be read.
  new Int32Array(memory)[1]! += 1;
  const off = follow(machine);
  for (let i = 0; i < 500; i++) {
    assert.ok(off(one) < BOUND);
    machine.pass(1e7);
  }
  // It goes on much later: the slot is the one in use.
  const slots = new Float64Array(memory, 8);
  const current = new Int32Array(memory)[0]!;
  slots.fill(1, (current & 63) * 10, (current & 63) * 10 + 10);
  for (let i = 0; i < 50; i++) {
    machine.pass(1e8);
    off(one);
  }
  assert.ok(off(one) < BOUND);
});

test('a counter that cannot be read says so, and its times are known as counts', () => {
  const { machine, threads } = begun();
  const [one] = threads;
  const count = one.conversions.renew();
  assert.ok(Math.abs(one.conversions.countAt(one.conversions.timeOf(count)) - count) <= 3);
  machine.isBroken = true;
  assert.ok(one.conversions.renew() < 0);
});
