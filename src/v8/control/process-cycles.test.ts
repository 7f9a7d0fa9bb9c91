import assert from 'node:assert/strict';
import { Session } from 'node:inspector';
import { test } from 'node:test';
import { monotonicClock, traceClock } from '../../ring-buffer/clock.js';
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

test('the clock is CLOCK_MONOTONIC, before the counter is read, with it, and after a debugger took its code away', (t) => {
  const read = reader();
  read();
  const cycles = new ProcessCycles();
  if (cycles.command === undefined) {
    assert.match(cycles.refused ?? '', /\w/);
    assert.equal(cycles.counts, undefined);
    t.skip(cycles.refused);
    return;
  }
  for (let i = 0; i < 100_000; i++) read();
  const count = cycles.counts!(traceClock());
  const session = new Session();
  session.connect();
  session.post('Debugger.enable');
  for (let i = 0; i < 1000; i++) read();
  session.disconnect();
  for (let i = 0; i < 1000; i++) read();
  // Computed from Node's clock now.
  const later = cycles.counts!(traceClock());
  assert.ok(later > count && Number.isSafeInteger(later), `${later} after ${count}`);
});
