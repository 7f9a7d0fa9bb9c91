import { putBytes, putDecimal, putSpaces, putText, putTriple } from './put.js';

const latin1 = (text: string): Uint8Array => Buffer.from(text, 'latin1');

/** Marks of a duration of more than so many ns. */
const OVERHEADS = [
  [1_000_000_000, latin1('$ ')],
  [1_000_000, latin1('# ')],
  [100_000, latin1('! ')],
  [10_000, latin1('+ ')],
  [-1, latin1('  ')],
] as const;

const UNIT = latin1(' us ');
const BAR = latin1('|  ');
const DOT = 46;
const WIDTH = 7;
const TWO_64 = 2n ** 64n;

/** Blanks in place of the mark and the duration. */
export const NO_DURATION = latin1('             |  ');

/** Mark, duration and bar as trace-cmd's function graph shows them; `duration` in ns. */
export function putDuration(out: Uint8Array, at: number, duration: number): number {
  if (duration < 0) return putBackward(out, at, duration);
  let overhead = 0;
  while (duration <= OVERHEADS[overhead]![0]) overhead++;
  at = putBytes(out, at, OVERHEADS[overhead]![1]);
  const start = at;
  const microseconds = Math.floor(duration / 1000);
  at = putDecimal(out, at, microseconds);
  if (at - start < WIDTH) {
    out[at] = DOT;
    at = putTriple(out, at + 1, duration - microseconds * 1000);
  }
  const width = at - start;
  at = putBytes(out, at, UNIT);
  if (width < WIDTH) at = putSpaces(out, at, WIDTH - width);
  return putBytes(out, at, BAR);
}

/** A return before its call (the clock went back) is shown as an unsigned number. */
function putBackward(out: Uint8Array, at: number, duration: number): number {
  const mark = duration === -1 ? '  ' : '$ ';
  return putBytes(out, putText(out, at, `${mark}${(TWO_64 + BigInt(duration)) / 1000n} us `), BAR);
}
