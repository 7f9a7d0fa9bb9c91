import type { DurationStyle } from './dialect.js';
import { type StoredText, storedText } from './stored-text.js';
import type { TraceSeq } from './trace-seq.js';
import type { TraceView } from './trace-view.js';

const SPACE = 0x20;
const DOT = 0x2e;
const ZERO = 0x30;
/** Longer numbers of microseconds have no decimals. */
const MOST_WHOLE = 6;
const TWO_64 = 2n ** 64n;
const UNIT = storedText(' us ');
const BAR = storedText('|  ');

/**
 * The sign before a long duration, a blank before a short one. The kernel's: `+` over 10 us, then `!`, `#`, `*`, `@`, up to `$`
 * over 1 s.
 */
export function durationMark(ns: number, { marks, unmarked }: DurationStyle): number {
  if ((ns >= 0 && ns <= 1e4) || ns === unmarked) return SPACE;
  const time = ns < 0 ? Infinity : ns;
  for (const [longer, sign] of marks) if (time > longer) return sign.charCodeAt(0);
  return SPACE;
}

const THOUSAND_UNITS = ['ns', 'us', 'ms', 's'] as const;

function roundTime(ns: number): string {
  const power = Math.floor(Math.log10(ns) / 3);
  return `${ns / 1000 ** power} ${THOUSAND_UNITS[power]}`;
}

/** What the marks mean, the shortest duration first: `+ over 10 us, ! over 100 us, ...`. */
export const marksText = ({ marks }: DurationStyle): string =>
  marks
    .map(([longerThan, sign]) => `${sign} over ${roundTime(longerThan)}`)
    .reverse()
    .join(', ');

function printDecimals(seq: TraceSeq, rest: number, count: number): void {
  seq.byte(DOT);
  if (count === 3) {
    seq.triple(rest);
    return;
  }
  seq.byte(ZERO + ((rest / 100) | 0));
  if (count === 2) seq.byte(ZERO + (((rest / 10) | 0) % 10));
}

/**
 * `12.345 us   `: microseconds, the unit, and blanks up to the column's width (trace_print_graph_duration). A negative duration
 * (the clock went back) is shown as an unsigned number.
 */
export function printDuration(seq: TraceSeq, ns: number, { digits, width }: DurationStyle): void {
  const start = seq.length;
  if (ns < 0) seq.text(String((TWO_64 + BigInt(ns)) / 1000n));
  else {
    const micros = Math.floor(ns / 1000);
    seq.decimal(micros);
    const whole = seq.length - start;
    if (whole <= MOST_WHOLE) printDecimals(seq, ns - micros * 1000, Math.min(3, digits - whole));
  }
  const blanks = width - (seq.length - start);
  seq.put(UNIT);
  if (blanks > 0) seq.spaces(blanks);
}

/** The column of durations before a call of the graph, as the view's options want it. */
export class DurationColumn {
  readonly #style: DurationStyle;
  readonly #isShown: boolean;
  readonly #hasMarks: boolean;
  readonly #blank: StoredText;

  constructor({ dialect, options }: TraceView) {
    this.#style = dialect.duration;
    this.#isShown = options['context-info'] && options['funcgraph-duration'];
    this.#hasMarks = options['funcgraph-overhead'];
    this.#blank = storedText(`${' '.repeat(dialect.duration.width + 6)}|  `);
  }

  /** Prints the duration of a leaf or a closing brace. */
  print(seq: TraceSeq, ns: number): void {
    if (!this.#isShown) return;
    seq.byte(this.#hasMarks ? durationMark(ns, this.#style) : SPACE);
    seq.byte(SPACE);
    printDuration(seq, ns, this.#style);
    seq.put(BAR);
  }

  /** Prints the blanks of an opening brace or a comment. */
  printBlank(seq: TraceSeq): void {
    if (this.#isShown) seq.put(this.#blank);
  }
}
