const hrtime = process.hrtime;

/** Nanoseconds of CLOCK_MONOTONIC: the same clock in every thread and process of the machine. An integer. */
export function traceClock(): number {
  const now = hrtime();
  return now[0] * 1e9 + now[1];
}
