/**
 * The clock that events are stamped with: CLOCK_MONOTONIC in nanoseconds, an integer (from 2^53 on, after 104 days, an even
 * one), the same in every thread and process of the machine. It is the cheapest read that Node has (`bench/ring-buffer.mjs` compares); the functions are those from
 * before the program ran, since test frameworks replace them by fake timers.
 */
export const traceClock: () => number = Number.parseInt(process.versions.node, 10) >= 26 ? fromPerformance() : fromHrtime();

/** Up to Node 24 V8 compiles the array that hrtime() returns away: 32 ns a read and nothing allocated. */
function fromHrtime(): () => number {
  const { hrtime } = process;
  return () => {
    const now = hrtime();
    return now[0] * 1e9 + now[1];
  };
}

/** Node 26 allocates that array, 48 bytes a read; performance.now() costs no more time there and allocates less. */
function fromPerformance(): () => number {
  const { performance } = globalThis;
  const now = performance.now.bind(performance);
  const offset = calibrate(fromHrtime(), () => now() * 1e6);
  return () => Math.floor(now() * 1e6 + offset);
}

/** What to add to `from` to get `to`, from the pair of readings that lay closest together. */
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
