import assert from 'node:assert/strict';
import { Session } from 'node:inspector';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { monotonicClock, setCycleCounter, traceClock } from '../../ring-buffer/clock.js';
import { ThreadCycles } from '../cycles/read-cycles.js';
import { ProcessCycles } from './process-cycles.js';

/** How far the clock may be off, in nanoseconds: the time of a read on a busy machine is not known better. */
const OFF = 1000;

/** Reads the clock between two readings of Node's; it must be between them, and not before what was read last. */
function reader(): () => void {
  let last = 0;
  return () => {
    const before = monotonicClock();
    const now = traceClock();
    const after = monotonicClock();
    assert.ok(Number.isInteger(now));
    assert.ok(now >= last, `${now} is before ${last}`);
    assert.ok(before - OFF <= now && now <= after + OFF, `${before} <= ${now} <= ${after}`);
    last = now;
  };
}

/** How many conversions were made: only who reads the counter makes them. */
const conversionsMade = ({ command }: ProcessCycles): number => new Int32Array(command!.conversions, 0, 2)[1]!;

test('the clock is CLOCK_MONOTONIC, before the counter is read, with it, and while a debugger comes and goes', async (t) => {
  const read = reader();
  read();
  const lost: number[] = [];
  const thread = new ThreadCycles((serial) => {
    lost.push(serial);
    cycles.lost(serial);
  });
  const cycles = new ProcessCycles(() => thread.read(cycles.command!));
  t.after(() => setCycleCounter(undefined));
  if (cycles.command === undefined) {
    assert.match(cycles.refused ?? '', /\w/);
    assert.equal(cycles.counts, undefined);
    t.skip(cycles.refused);
    return;
  }
  for (let i = 0; i < 100_000; i++) read();
  thread.read(cycles.command);
  const counts = thread.counts!;
  let last = 0;
  const count = (): void => {
    const now = counts(traceClock());
    assert.ok(now >= last && Number.isSafeInteger(now), `${now} after ${last}`);
    last = now;
  };
  count();

  const session = new Session();
  session.connect();
  for (const [serial, change] of [() => session.post('Debugger.enable'), () => session.disconnect()].entries()) {
    change();
    for (let i = 0; i < 1000; i++) read();
    for (let i = 0; i < 1000; i++) count();
    assert.deepEqual(lost, serial === 0 ? [0] : [0, 1]);
    for (; cycles.command.serial === serial; await setImmediate()) read();
    count();
    const made = conversionsMade(cycles);
    while (cycles.notChosen === undefined && conversionsMade(cycles) === made) read();
    for (let i = 0; i < 1000; i++) count();
  }
});
