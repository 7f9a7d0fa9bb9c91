interface Frame {
  readonly name: string;
  readonly session: number;
}

/** What function_graph has to record, from calls that announce themselves and clean up after themselves. */
export class LoggedGraph {
  readonly lines: string[] = [];
  readonly #most: number;
  readonly #stack: Frame[] = [];
  #session = 0;
  #traced: ReadonlySet<string>;

  constructor(traced: readonly string[], most: number) {
    this.#traced = new Set(traced);
    this.#most = most;
  }

  /** The program ran longer than it is worth; what it did then is not what it would have done. */
  get isFull(): boolean {
    return this.lines.length >= this.#most;
  }

  /** From now on these functions are traced; after a restart what runs is unknown. */
  trace(functions: readonly string[], restarts: boolean): void {
    this.#traced = new Set(functions);
    if (restarts) this.#session++;
  }

  call<T>(name: string, body: () => T): T {
    if (this.isFull) throw new Error('too long');
    const frame = this.#enter(name);
    let end = '!';
    try {
      const value = body();
      end = '';
      return value;
    } finally {
      this.#leave(frame, end);
    }
  }

  /** Logs the run of a generator, which is away while it is suspended. */
  *generate<T>(name: string, body: Generator<T, T>): Generator<T, T> {
    if (this.isFull) throw new Error('too long');
    const frame = this.#enter(name);
    let end = '!';
    try {
      for (let step = body.next(); ; ) {
        if (step.done) {
          end = '';
          return step.value;
        }
        this.#leave(frame, '~');
        try {
          yield step.value;
        } catch (error) {
          this.#resume(frame);
          step = body.throw(error);
          continue;
        }
        this.#resume(frame);
        step = body.next();
      }
    } finally {
      this.#leave(frame, end);
    }
  }

  #enter(name: string): Frame | undefined {
    if (!this.#traced.has(name)) return undefined;
    this.#log(`${name}(`);
    const frame = { name, session: this.#session };
    this.#stack.push(frame);
    return frame;
  }

  #resume(frame: Frame | undefined): void {
    if (frame?.session !== this.#session) return;
    this.#log(`${frame.name}(~`);
    this.#stack.push(frame);
  }

  #leave(frame: Frame | undefined, end: string): void {
    if (frame === undefined || this.#stack.at(-1) !== frame) return;
    this.#stack.pop();
    if (frame.session === this.#session) this.#log(`)${frame.name}${end}`);
  }

  #log(text: string): void {
    const depth = this.#stack.filter(({ session }) => session === this.#session).length;
    this.lines.push('  '.repeat(depth) + text);
  }
}
