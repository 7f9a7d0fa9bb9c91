import type { ReportSink } from '../output/trace-dat/index.js';

/** Transforms lines: each gives none, one or more; `end` gives those that are left. */
export interface LineFilter {
  line(text: string): readonly string[];
  end(): readonly string[];
}

/** A sink that takes whole lines and parts of lines as bytes, and passes on the lines that a filter returns. */
export class LineSink implements ReportSink {
  readonly #sink: ReportSink;
  readonly #filter: LineFilter;
  readonly #decoder = new TextDecoder();
  #rest = '';

  constructor(sink: ReportSink, filter: LineFilter) {
    this.#sink = sink;
    this.#filter = filter;
  }

  write(bytes: Uint8Array): boolean {
    const lines = (this.#rest + this.#decoder.decode(bytes, { stream: true })).split('\n');
    this.#rest = lines.pop()!;
    return this.#pass(lines.flatMap((line) => this.#filter.line(line)));
  }

  /** Passes on what is left. */
  end(): void {
    const rest = this.#rest === '' ? [] : this.#filter.line(this.#rest);
    this.#rest = '';
    this.#pass([...rest, ...this.#filter.end()]);
  }

  #pass(lines: readonly string[]): boolean {
    return lines.length === 0 || this.#sink.write(Buffer.from(`${lines.join('\n')}\n`));
  }
}
