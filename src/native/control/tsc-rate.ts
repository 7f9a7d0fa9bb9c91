/** The time stamp counter and CLOCK_MONOTONIC, in nanoseconds, read at one moment. */
export interface TscReading {
  readonly tsc: bigint;
  readonly ns: number;
}

/** How a counter's value becomes a time: ns = ((tsc - base) * multiplier >> shift) + offset. */
export interface TscConversion {
  readonly base: bigint;
  readonly multiplier: bigint;
  readonly offset: bigint;
  readonly shift: number;
}

/**
 * Readings that the rate is measured between. The clock is slewed: an older rate is a wrong one. Two readings are off by some
 * tens of nanoseconds, so the time between them must not be short.
 */
const READINGS = 4;

/** Milliseconds in which the first rate is measured. */
const FIRST_SPAN = 30;
/** The most milliseconds from one reading to the next. */
const LONGEST_SPAN = 1000;

/**
 * Milliseconds from a reading to the next, so many milliseconds after the first one. A rate is as good as the time that it was
 * measured in is long, so the first ones are measured again soon: by the next reading, none is off by more than a reading is.
 */
export const untilNextReading = (age: number): number => Math.min(Math.max(age, FIRST_SPAN), LONGEST_SPAN);

/**
 * Follows the rate of the counter by readings that come at regular times: a later one bounds what the rate of those before it was
 * off.
 */
export class TscRate {
  readonly #readings: TscReading[] = [];
  readonly #shift: number;

  /** @param shift of the conversions: Machine.clockShift */
  constructor(shift: number) {
    this.#shift = shift;
  }

  /** The conversion from a reading on; undefined for the first. */
  add(now: TscReading): TscConversion | undefined {
    const [oldest] = this.#readings;
    this.#readings.push(now);
    if (this.#readings.length > READINGS) this.#readings.shift();
    if (oldest === undefined) return undefined;
    const multiplier = (BigInt(Math.round(now.ns - oldest.ns)) << BigInt(this.#shift)) / (now.tsc - oldest.tsc);
    return { base: now.tsc, multiplier, offset: BigInt(Math.round(now.ns)), shift: this.#shift };
  }
}

/** The counter's value at a time, also at one before the conversion began. */
export const countOf = ({ base, multiplier, offset, shift }: TscConversion, ns: number): number =>
  Math.floor(Number(base) + (ns - Number(offset)) * (2 ** shift / Number(multiplier)));

/** The time that the emitted code gets for a counter's value. */
export const convertTsc = ({ base, multiplier, offset, shift }: TscConversion, tsc: bigint): number =>
  Number((((tsc - base) * multiplier) >> BigInt(shift)) + offset);
