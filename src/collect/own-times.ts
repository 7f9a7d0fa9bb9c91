/** Deeper calls have no time of their own: their whole time counts as theirs. */
const DEEPEST = 1024;

/** What is known of a thread's open calls, as data: it outlives the collector. By depth, times in ns. */
export interface OwnTimesData {
  /** When each came onto the stack; null: that was not recorded. */
  readonly starts: readonly (number | null)[];
  /** What its callees took so far. */
  readonly inside: readonly number[];
}

/** The open calls of a thread, so that each call that ends has its own time. */
export class OwnTimes {
  #starts: (number | null)[];
  #inside: number[];

  constructor({ starts, inside }: OwnTimesData = { starts: [], inside: [] }) {
    this.#starts = [...starts];
    this.#inside = [...inside];
  }

  enter(depth: number, time: number): void {
    if (depth < 0 || depth >= DEEPEST) return;
    this.#starts.length = Math.min(this.#starts.length, depth);
    this.#inside.length = Math.min(this.#inside.length, depth);
    while (this.#starts.length < depth) this.#starts.push(null);
    while (this.#inside.length < depth) this.#inside.push(0);
    this.#starts[depth] = time;
    this.#inside[depth] = 0;
  }

  /**
   * A call ends, or is suspended. Returns its own time since it came onto the stack.
   * @param call ns from its beginning to its end: what it had if its entry is not known
   */
  leave(depth: number, time: number, call: number): number {
    if (depth < 0 || depth >= DEEPEST) return call;
    const start = this.#starts[depth] ?? null;
    const stay = start === null ? call : Math.max(0, time - start);
    const inside = this.#inside[depth] ?? 0;
    this.#starts.length = Math.min(this.#starts.length, depth);
    this.#inside.length = Math.min(this.#inside.length, depth);
    if (depth > 0) {
      while (this.#inside.length < depth) this.#inside.push(0);
      this.#inside[depth - 1]! += stay;
    }
    return Math.max(0, stay - inside);
  }

  /** Records were lost: what is open now is not known. */
  forget(): void {
    this.#starts = [];
    this.#inside = [];
  }

  data(): OwnTimesData {
    return { starts: this.#starts, inside: this.#inside };
  }
}
