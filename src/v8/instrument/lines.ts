/** What ends lines besides a line feed; few sources have it. */
const OTHER_BREAKS = ['\r', '\u2028', '\u2029'];

/** Offsets at which the source's lines begin, as the language (and V8) counts lines. */
export function lineStarts(source: string): Uint32Array {
  const starts = [0];
  if (!OTHER_BREAKS.some((character) => source.includes(character))) {
    for (let at = source.indexOf('\n'); at >= 0; at = source.indexOf('\n', at + 1)) starts.push(at + 1);
    return Uint32Array.from(starts);
  }
  const breaks = /\r\n|[\n\r\u2028\u2029]/g;
  while (breaks.test(source)) starts.push(breaks.lastIndex);
  return Uint32Array.from(starts);
}

/** Finds the line (from 0) of an offset. */
export class LineCounter {
  /** The offset at which each line begins. */
  readonly starts: Uint32Array;
  readonly #end: number;

  constructor(source: string) {
    this.starts = lineStarts(source);
    this.#end = source.length;
  }

  line(offset: number): number {
    return lastAtMost(this.starts, offset);
  }

  /** The column, from 0, of an offset on `line`. */
  column(offset: number, line: number): number {
    return offset - (this.starts[line] as number);
  }

  /** The number of UTF-16 units of `line`, with what ends it. */
  length(line: number): number {
    return (this.starts[line + 1] ?? this.#end) - (this.starts[line] as number);
  }
}

/** Index of the last of the rising `values` that is not above `limit`; 0 if all are above. */
function lastAtMost(values: Uint32Array, limit: number): number {
  let low = 0;
  let high = values.length;
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if ((values[middle] as number) <= limit) low = middle;
    else high = middle;
  }
  return low;
}
