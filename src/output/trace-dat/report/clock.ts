import { putBytes, putDecimal, putText, putTriple } from './put.js';

/** Clocks that trace-cmd shows in seconds; others (counter, x86-tsc, but boot too) as the numbers they are. */
const SECONDS_CLOCKS = /^(local|global|uptime|perf|mono.*|tai|tsc2nsec)$/;

const SPACE = 32;
const SECOND = 1_000_000_000n;

/** The time column: ` 12345.678901`. Times come relative to `origin`, so that they stay exact in a double. */
export class TimeColumn {
  /** What times must be counted from; see PageCursor.origin. */
  readonly origin: number;
  readonly #originSeconds: number;
  /** Digits after the dot: 6 or 9; 0 for a clock that does not count seconds. */
  readonly #digits: number;
  #second = -1;
  #secondText: Uint8Array = new Uint8Array(0);

  /** `first`: the earliest time in the recording; `offset`: ns to add to all. */
  constructor(clock: string, first: bigint, offset: bigint, nanoseconds: boolean) {
    const inSeconds = SECONDS_CLOCKS.test(clock);
    const shown = first + offset;
    const base = inSeconds ? shown - (((shown % SECOND) + SECOND) % SECOND) : 0n;
    const originTime = inSeconds ? base - offset : -offset;
    this.origin = Number(originTime);
    this.#originSeconds = Number(base / SECOND);
    this.#digits = inSeconds ? (nanoseconds ? 9 : 6) : 0;
  }

  put(out: Uint8Array, at: number, time: number): number {
    if (this.#digits === 0) return putText(out, at, counterText(time));
    out[at] = SPACE;
    if (this.#digits === 9) return this.#putNanoseconds(out, at + 1, time);
    return this.#putMicroseconds(out, at + 1, Math.floor((time + 500) / 1000));
  }

  #putMicroseconds(out: Uint8Array, at: number, time: number): number {
    const second = Math.floor(time / 1e6);
    const rest = time - second * 1e6;
    if (second !== this.#second) this.#enter(second);
    at = putBytes(out, at, this.#secondText);
    const high = Math.floor(rest / 1000);
    return putTriple(out, putTriple(out, at, high), rest - high * 1000);
  }

  #putNanoseconds(out: Uint8Array, at: number, time: number): number {
    const second = Math.floor(time / 1e9);
    const rest = time - second * 1e9;
    if (second !== this.#second) this.#enter(second);
    at = putBytes(out, at, this.#secondText);
    const high = Math.floor(rest / 1e6);
    const low = rest - high * 1e6;
    const middle = Math.floor(low / 1000);
    return putTriple(out, putTriple(out, putTriple(out, at, high), middle), low - middle * 1000);
  }

  #enter(second: number): void {
    this.#second = second;
    const digits = new Uint8Array(20);
    const text = Buffer.from(digits.subarray(0, putDecimal(digits, 0, Math.max(0, second + this.#originSeconds)))).toString(
      'latin1',
    );
    this.#secondText = Buffer.from(`${text.padStart(5)}.`, 'latin1');
  }
}

/** The time of a clock that does not count seconds. */
const counterText = (value: number): string => String(value).padStart(12);
