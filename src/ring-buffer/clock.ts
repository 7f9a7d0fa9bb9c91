/**
 * The clock that events are stamped with: CLOCK_MONOTONIC in nanoseconds, an integer (from 2^53 on, after 104 days, an even
 * one), the same in every thread and process of the machine. It is the cheapest read that Node has (`bench/ring-buffer.mjs`
 * compares); the functions are saved before the program runs, because test frameworks replace them with fake timers.
 */
export const traceClock: () => number = Number.parseInt(process.versions.node, 10) >= 26 ? fromPerformance() : fromHrtime();

/** Up to Node 24, optimized code does not allocate the array that hrtime() returns: 32 ns for a read. */
function fromHrtime(): () => number {
  const { hrtime } = process;
  return () => {
    const now = hrtime();
    return now[0] * 1e9 + now[1];
  };
}

/** Node 26 allocates that array, 48 bytes for each read; there, performance.now() takes no more time and allocates less. */
function fromPerformance(): () => number {
  const { performance } = globalThis;
  const now = performance.now.bind(performance);
  const offset = calibrate(fromHrtime(), () => now() * 1e6);
  const { floor } = Math;
  return () => floor(now() * 1e6 + offset);
}

/** The difference `to` - `from`, from the pair of readings that were closest together. */
function calibrate(to: () => number, from: () => number): number {
  let best = { offset: 0, gap: Infinity };
  for (let i = 0; i < 64; i++) {
    const before = to();
    const between = from();
    const after = to();
    if (after - before < best.gap) best = { offset: (before + after) / 2 - between, gap: after - before };
  }
  return best.offset;
}
