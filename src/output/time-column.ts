import { storedText } from './stored-text.js';
import type { TraceSeq } from './trace-seq.js';

/** How times are shown. */
export interface TimeStyle {
  /** Digits after the dot, 6 or 9; 0 for a clock that does not count time. */
  readonly digits: 0 | 6 | 9;
  /** Seconds that are added to all times. */
  readonly seconds?: number;
  /** What stands before the number of a clock that does not count time. */
  readonly counterGap: string;
}

function printSix(seq: TraceSeq, value: number): void {
  const high = (value / 1000) | 0;
  seq.triple(high);
  seq.triple(value - high * 1000);
}

/** The time column: ` 12345.678901`, microseconds rounded, or the number that a clock counted (trace_print_time). */
export class TimeColumn {
  readonly #digits: TimeStyle['digits'];
  readonly #origin: number;
  readonly #gap: string;
  #second = -1;
  #secondText = storedText('');

  constructor({ digits, seconds = 0, counterGap }: TimeStyle) {
    this.#digits = digits;
    this.#origin = seconds;
    this.#gap = counterGap;
  }

  /** @param time in nanoseconds */
  print(seq: TraceSeq, time: number): void {
    if (this.#digits === 0) {
      seq.text(this.#gap);
      seq.decimal(time, 12);
    } else if (this.#digits === 6) {
      const micros = Math.floor((time + 500) / 1000);
      const second = Math.floor(micros / 1e6);
      this.#printSecond(seq, second);
      printSix(seq, micros - second * 1e6);
    } else {
      const second = Math.floor(time / 1e9);
      this.#printSecond(seq, second);
      const rest = time - second * 1e9;
      const high = Math.floor(rest / 1e6);
      seq.triple(high);
      printSix(seq, rest - high * 1e6);
    }
  }

  /** ` 12345.`; most records are of the same second as the one before. */
  #printSecond(seq: TraceSeq, second: number): void {
    if (second !== this.#second) {
      this.#second = second;
      this.#secondText = storedText(` ${String(Math.max(0, second + this.#origin)).padStart(5)}.`);
    }
    seq.put(this.#secondText);
  }
}
