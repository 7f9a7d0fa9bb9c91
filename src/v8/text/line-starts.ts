import type { ScriptPlace } from '../breakpoints/breakpoint-text.js';

const LINE_END = /\r\n|[\n\r\u2028\u2029]/g;

/** Places of offsets in a source, as the debugger counts lines. */
export class LineStarts {
  readonly #starts: readonly number[];

  constructor(source: string) {
    this.#starts = [0, ...[...source.matchAll(LINE_END)].map((end) => end.index + end[0].length)];
  }

  place(offset: number): ScriptPlace {
    let low = 0;
    let high = this.#starts.length;
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if (this.#starts[middle]! <= offset) low = middle;
      else high = middle;
    }
    return { line: low, column: offset - this.#starts[low]! };
  }

  /** The offset of a place; undefined if there is no such line. */
  offset({ line, column }: ScriptPlace): number | undefined {
    const start = this.#starts[line];
    return start === undefined ? undefined : start + column;
  }
}
