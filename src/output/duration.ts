import type { TraceSeq } from './trace-seq.js';

const MARKS: readonly (readonly [longerThanNs: number, mark: number])[] = [
  [1e9, 0x24],
  [1e8, 0x40],
  [1e7, 0x2a],
  [1e6, 0x23],
  [1e5, 0x21],
  [1e4, 0x2b],
];

/** The sign before a long duration: `$` over 1 s, `@` 100 ms, `*` 10 ms, `#` 1 ms, `!` 100 us, `+` 10 us, else a space. */
export function durationMark(ns: number): number {
  if (ns <= 1e4) return 0x20;
  for (const [longer, mark] of MARKS) if (ns > longer) return mark;
  return 0x20;
}

const DOT = 0x2e;
const ZERO = 0x30;

/** `  12.345 us   `: at most seven digits with the point, then the unit, then blanks up to the column (trace_print_graph_duration). */
export function printDuration(seq: TraceSeq, ns: number): void {
  const micros = Math.floor(ns / 1000);
  const start = seq.length;
  seq.decimal(micros);
  const whole = seq.length - start;
  if (whole < 7) {
    const rest = ns - micros * 1000;
    seq.byte(DOT);
    const decimals = Math.min(3, 7 - whole);
    seq.byte(ZERO + ((rest / 100) | 0));
    if (decimals > 1) seq.byte(ZERO + (((rest / 10) | 0) % 10));
    if (decimals > 2) seq.byte(ZERO + (rest % 10));
  }
  const width = seq.length - start;
  seq.byte(0x20);
  seq.byte(0x75);
  seq.byte(0x73);
  seq.byte(0x20);
  seq.spaces(8 - width);
}
