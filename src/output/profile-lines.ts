import type { ProfiledFunction } from '../ftrace/function-profile.js';
import { KERNEL } from './dialect.js';
import { printDuration } from './duration.js';
import { TraceSeq } from './trace-seq.js';

const HEADER =
  '  Function                               Hit    Time            Avg             s^2\n' +
  '  --------                               ---    ----            ---             ---\n';
const NAME_WIDTH = 30;
const HITS_WIDTH = 10;

/**
 * The variance of the calls' times, in ns² / 1000: the column's unit is us², and printing it as a duration divides by
 * 1000 once more.
 */
function variance({ hits, time, squares }: ProfiledFunction): number {
  if (hits < 2) return 0;
  // Rounding can take a variance of zero below it.
  return Math.max(0, Math.floor((hits * squares - time * time) / (hits * (hits - 1) * 1000)));
}

/**
 * The text of trace_stat/functionN (function_stat_show), by lines.
 * @param threshold tracing_thresh in nanoseconds: functions that took less on average are left out
 */
export function* profileLines(
  rows: Iterable<ProfiledFunction>,
  name: (n: number) => string,
  threshold: number,
): Generator<string> {
  yield HEADER;
  const seq = new TraceSeq();
  for (const row of rows) {
    const time = Math.floor(row.time);
    const average = Math.floor(time / row.hits);
    if (average < threshold) continue;
    seq.text(`  ${name(row.n).slice(0, NAME_WIDTH).padEnd(NAME_WIDTH)}  ${String(row.hits).padStart(HITS_WIDTH)}    `);
    printDuration(seq, time, KERNEL.duration);
    seq.text('    ');
    printDuration(seq, average, KERNEL.duration);
    seq.text('    ');
    printDuration(seq, variance(row), KERNEL.duration);
    seq.text('\n');
    yield seq.toString();
    seq.take();
  }
}
