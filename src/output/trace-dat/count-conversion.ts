import { OPTION } from './format.js';

/** How counts of a processor's counter become nanoseconds: ns = count * mult >> shift, each below 2^32 (option TSC2NSEC). */
export interface CountConversion {
  readonly mult: number;
  readonly shift: number;
}

/** trace-cmd's name for the counts of `x86-tsc` in a file with their conversion. */
export const CONVERTED_CLOCK = 'tsc2nsec';

/** Bytes of the option: u32 mult, u32 shift, u64 offset. `trace-cmd record` writes the offset 0, and report does not add it. */
const OPTION_BYTES = 16;

/** The conversion that a file has; undefined: it has none, and its times are what they are. */
export function conversionIn(options: ReadonlyMap<number, readonly Buffer[]>): CountConversion | undefined {
  const option = options.get(OPTION.TSC2NSEC)?.findLast(({ length }) => length >= OPTION_BYTES);
  const mult = option?.readUInt32LE(0) ?? 0;
  return mult === 0 ? undefined : { mult, shift: option!.readUInt32LE(4) };
}

/** The nanoseconds of a count, as mul_u64_u32_shr of lib/trace-cmd/trace-input.c has them. */
export const nsOfCount = (count: bigint, { mult, shift }: CountConversion): bigint => (count * BigInt(mult)) >> BigInt(shift);

/** A conversion for a counter with so many nanoseconds a count: as exact as a positive `int` of trace-cmd's allows. */
export function conversionOf(rate: number): CountConversion {
  let shift = 31;
  while (Math.round(rate * 2 ** shift) >= 2 ** 31) shift--;
  return { mult: Math.round(rate * 2 ** shift), shift };
}

const HIGH = 2 ** 32;
/** Counts after one that was converted by itself. With a multiplier below 2^32, all products are exact. */
const NEAR = 2 ** 20;
/** The greatest shift whose fractions are exact beside such products. */
const MOST_SHIFT = 32;

/** Converts the counts of a cursor, whose times come one soon after the other, without a BigInt for each. */
export class CountedTimes {
  readonly #conversion: CountConversion;
  readonly #origin: bigint;
  readonly #near: number;
  #high = 0;
  /** The count that was converted by itself, its nanoseconds, and their fraction as a multiple of 2^-shift. */
  #count = Number.NaN;
  #ns = 0;
  #fraction = 0;

  /** @param origin nanoseconds from which all times count */
  constructor(conversion: CountConversion, origin: number) {
    this.#conversion = conversion;
    this.#origin = BigInt(origin);
    this.#near = conversion.shift <= MOST_SHIFT ? NEAR : 0;
  }

  /** From now on counts are those above `high` * 2^32. Returns that. */
  open(high: number): number {
    if (high !== this.#high) this.#count = Number.NaN;
    this.#high = high;
    return high * HIGH;
  }

  /** The nanoseconds of a count. */
  ns(count: number): number {
    const { mult, shift } = this.#conversion;
    const since = count - this.#count;
    if (since >= 0 && since < this.#near) return this.#ns + Math.floor((this.#fraction + since * mult) / 2 ** shift);
    const whole = BigInt(this.#high) * BigInt(HIGH) + BigInt(count);
    const ns = nsOfCount(whole, this.#conversion);
    this.#count = count;
    this.#ns = Number(ns - this.#origin);
    this.#fraction = Number(whole * BigInt(mult) - (ns << BigInt(shift)));
    return this.#ns;
  }
}
