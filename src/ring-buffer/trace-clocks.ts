import { AtomicsAdd, MathFloor } from '../base/primordials.js';

/**
 * The clocks that records can be stamped with (trace_clocks of kernel/trace/trace.c), in the order of trace_clock. All but
 * the counting ones are CLOCK_MONOTONIC in nanoseconds, the one clock that Node reads fast and that all threads share.
 */
export const TRACE_CLOCKS = ['local', 'global', 'counter', 'uptime', 'perf', 'mono', 'boot', 'x86-tsc'] as const;
/** The name of a clock. */
export type TraceClock = (typeof TRACE_CLOCKS)[number];

/** The clock whose times are the counts of x86-64's time stamp counter. */
export const TSC = 'x86-tsc' satisfies TraceClock;

const COUNTING: ReadonlySet<TraceClock> = new Set(['counter', 'uptime', TSC]);

/** Nanoseconds of a tick of `uptime`: USER_HZ is 100. */
const TICK = 1e7;

/** False for a clock that does not count nanoseconds: its times are shown as bare numbers. */
export const isClockInNs = (clock: TraceClock): boolean => !COUNTING.has(clock);

/** The kernel's other clocks, and why Node cannot offer them. */
export const MISSING_CLOCKS: Readonly<Record<string, string>> = {
  mono_raw: 'Node cannot read CLOCK_MONOTONIC_RAW',
  tai: 'Node can read neither CLOCK_TAI nor its offset',
};

/** The clock `x86-tsc` of a process. */
export interface TimeStampClock {
  /** Why its threads cannot read it, in words; undefined: they can. */
  readonly refused?: string | undefined;
  /** Why the other clocks are not made from it, in words; undefined: they are. */
  readonly notChosen?: string | undefined;
  /** Lets threads read it; returns how the control side does. Absent: there CLOCK_MONOTONIC takes its place. */
  begin?(): ClockReading | undefined;
}

/** What trace_clock_source shows: what the clocks in nanoseconds are read from, and why that is not the processor's counter. */
export const clockSource = ({ notChosen }: TimeStampClock): string =>
  notChosen === undefined ? 'counter\n' : `monotonic: ${notChosen}\n`;

/** What trace_clock shows: all clocks that there are, the current one in brackets. */
export const listClocks = (current: string, hasTsc: boolean): string =>
  `${TRACE_CLOCKS.filter((name) => name !== TSC || hasTsc)
    .map((name) => (name === current ? `[${name}]` : name))
    .join(' ')}\n`;

/** The time of a clock when CLOCK_MONOTONIC is `ns`. */
export type ClockReading = (ns: number) => number;

/**
 * How a clock is read; undefined when it is CLOCK_MONOTONIC itself.
 * @param counter one 64-bit word that all threads of the process share
 * @param tsc reads the time stamp counter; absent: the thread cannot, and has CLOCK_MONOTONIC
 */
export function clockReading(clock: TraceClock, counter: BigInt64Array, tsc?: ClockReading): ClockReading | undefined {
  if (clock === TSC) return tsc;
  if (clock === 'counter') return () => Number(AtomicsAdd(counter, 0, 1n)) + 1;
  if (clock === 'uptime') return (ns) => MathFloor(ns / TICK);
  return undefined;
}
