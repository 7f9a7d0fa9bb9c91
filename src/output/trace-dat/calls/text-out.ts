import type { ReportSink } from '../report/report-options.js';

/** How many characters are collected before they go to the sink. */
const PIECE = 1 << 16;

/** Text on its way to a sink, in large pieces. */
export class TextOut {
  readonly #sink: ReportSink;
  #text = '';
  #isClosed = false;

  constructor(sink: ReportSink) {
    this.#sink = sink;
  }

  /** Whether the sink wants no more. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  write(text: string): void {
    this.#text += text;
    if (this.#text.length >= PIECE) this.flush();
  }

  flush(): void {
    if (!this.#isClosed && this.#text !== '') this.#isClosed = !this.#sink.write(Buffer.from(this.#text, 'utf8'));
    this.#text = '';
  }
}
