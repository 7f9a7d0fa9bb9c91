/** Deeper calls have no time of their own: their whole time counts as theirs. */
const DEEPEST = 1024;

/** A span of an OpenTelemetry SDK that a thread works for. */
export interface WorkedForSpan {
  readonly trace: string;
  readonly span: string;
}

const NO_SPAN: WorkedForSpan = { trace: '', span: '' };

/** What is known of a thread, as data: it outlives the collector. By depth, times in ns. */
export interface ThreadCallsData {
  /** When each call came onto the stack; null: that was not recorded. */
  readonly starts: readonly (number | null)[];
  /** What its callees took so far. */
  readonly inside: readonly number[];
  /** Depths of calls that were resumed. */
  readonly resumed: readonly number[];
  /** The spans that calls began in; absent: none has one. */
  readonly spans?: readonly WorkedForSpan[];
  /** The span that the thread works for. */
  readonly span?: WorkedForSpan;
  /** The context that runs; null: that is not known. */
  readonly context: number | null;
}

/** The open calls of a thread, so that each call that ends has its own time; what the thread does now, and for which span. */
export class ThreadCalls {
  #depth = 0;
  readonly #starts = new Float64Array(DEEPEST);
  readonly #inside = new Float64Array(DEEPEST);
  readonly #resumed = new Uint8Array(DEEPEST);
  readonly #spans: WorkedForSpan[] = [];
  /** The span that the thread works for now. */
  span = NO_SPAN;
  /** The context that runs; NaN: that is not known. */
  context = Number.NaN;
  /** The call that ended last: ns on the stack since it came there, without callees, whether it was resumed, its span. */
  stay = 0;
  own = 0;
  isResumed = false;
  endedIn = NO_SPAN;

  constructor(data?: ThreadCallsData) {
    if (data === undefined) return;
    const { starts, inside, resumed, spans, span = NO_SPAN, context } = data;
    this.#depth = Math.min(starts.length, DEEPEST);
    for (let at = 0; at < this.#depth; at++) {
      this.#starts[at] = starts[at] ?? Number.NaN;
      this.#inside[at] = inside[at] ?? 0;
      this.#spans[at] = spans?.[at] ?? NO_SPAN;
    }
    for (const at of resumed) this.#resumed[at] = 1;
    this.span = span;
    this.context = context ?? Number.NaN;
  }

  enter(depth: number, time: number, isResumed: boolean): void {
    if (depth < 0 || depth >= DEEPEST) return;
    this.#fill(depth);
    this.#starts[depth] = time;
    this.#inside[depth] = 0;
    this.#resumed[depth] = isResumed ? 1 : 0;
    this.#spans[depth] = this.span;
    this.#depth = depth + 1;
  }

  /**
   * A call ends, or is suspended: the fields above say how it was.
   * @param call ns from its beginning to its end: what it had if its entry is not known
   */
  leave(depth: number, time: number, call: number): void {
    this.stay = call;
    this.own = call;
    this.isResumed = false;
    this.endedIn = this.span;
    if (depth < 0 || depth >= DEEPEST) return;
    const isOpen = depth < this.#depth;
    if (isOpen && !Number.isNaN(this.#starts[depth]!)) {
      const start = this.#starts[depth]!;
      this.isResumed = this.#resumed[depth] === 1;
      this.endedIn = this.#spans[depth]!;
      // The record of a call's entry may be some nanoseconds older than the time in its exit.
      this.stay = Math.max(0, time - (this.isResumed ? start : Math.max(start, time - call)));
    }
    this.own = isOpen ? Math.max(0, this.stay - this.#inside[depth]!) : this.stay;
    this.#depth = Math.min(this.#depth, depth);
    if (depth === 0) return;
    this.#fill(depth);
    this.#inside[depth - 1]! += this.stay;
  }

  /** Records were lost: what is open now is not known, nor what the thread works for. */
  forget(): void {
    this.#depth = 0;
    this.span = NO_SPAN;
    this.context = Number.NaN;
  }

  data(): ThreadCallsData {
    const depths = Array.from({ length: this.#depth }, (_, at) => at);
    const spans = this.#spans.slice(0, this.#depth);
    return {
      starts: depths.map((at) => (Number.isNaN(this.#starts[at]!) ? null : this.#starts[at]!)),
      inside: depths.map((at) => this.#inside[at]!),
      resumed: depths.filter((at) => this.#resumed[at] === 1),
      ...(spans.some(({ span }) => span !== '') && { spans }),
      ...(this.span !== NO_SPAN && { span: this.span }),
      context: Number.isNaN(this.context) ? null : this.context,
    };
  }

  /** The calls below a depth, and no others, are open: those that are not known have neither a beginning nor callees. */
  #fill(depth: number): void {
    for (let at = this.#depth; at < depth; at++) {
      this.#starts[at] = Number.NaN;
      this.#inside[at] = 0;
      this.#resumed[at] = 0;
      this.#spans[at] = NO_SPAN;
    }
    this.#depth = depth;
  }
}
