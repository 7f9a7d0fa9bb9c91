import { type RecordCursor, RecordPlace } from './record-cursor.js';

/** The next records of several cpus: `take` gives them in the order of time, `peek` looks one ahead on the same cpu. */
export class RecordMerge extends RecordPlace {
  readonly #cursors: readonly RecordCursor[];
  /** Whether each cursor stands on a record that was not taken. */
  readonly #ready: boolean[];
  /** How many do not. */
  #idle: number;
  /** The cursor of the record taken last, whose words stay valid while the next ones are looked at. */
  #index = 0;
  /** The cursor of the earliest record, -1 for none. */
  #best = -1;
  /** The time of the earliest record of the other cursors, and whether it goes first if times are equal. */
  #rivalTime = Infinity;
  #rivalWinsTie = false;

  /** @param cursors in the order of their cpus */
  constructor(cursors: readonly RecordCursor[]) {
    super(0);
    this.#cursors = cursors;
    this.#ready = cursors.map((cursor) => cursor.advance());
    this.#idle = this.#ready.filter((isReady) => !isReady).length;
    this.#choose();
  }

  /** True if no records are left now. */
  get isEmpty(): boolean {
    return this.#earliest() < 0;
  }

  /** Takes the earliest record; of equal ones that of the lowest cpu. False if there is none now. */
  take(): boolean {
    const index = this.#earliest();
    if (index < 0) return false;
    const cursor = this.#cursors[index]!;
    this.#index = index;
    // Most records lie in the same memory as the one before.
    if (this.words !== cursor.words) {
      this.words = cursor.words;
      this.bytes = cursor.bytes;
    }
    this.at = cursor.at;
    this.size = cursor.size;
    this.ts = cursor.ts;
    this.lost = cursor.lost;
    this.cpu = cursor.cpu;
    this.#advance(index);
    return true;
  }

  /** The record that follows the taken one on its cpu, or undefined. */
  peek(): RecordCursor | undefined {
    return this.#ready[this.#index] ? this.#cursors[this.#index] : undefined;
  }

  /** The cpu's next record if it is the next of all cpus' records, too. */
  peekNext(): RecordCursor | undefined {
    return this.#earliest() === this.#index ? this.#cursors[this.#index] : undefined;
  }

  /** Leaves out the record that `peek` showed. */
  skip(): void {
    this.#advance(this.#index);
  }

  /** Time of the next record of any cpu, or undefined. */
  nextTime(): number | undefined {
    const index = this.#earliest();
    return index < 0 ? undefined : this.#cursors[index]!.ts;
  }

  #earliest(): number {
    if (this.#idle > 0) this.#refresh();
    return this.#best;
  }

  #advance(index: number): void {
    const cursor = this.#cursors[index]!;
    if (!cursor.advance()) {
      this.#ready[index] = false;
      this.#idle++;
      this.#choose();
    } else if (index !== this.#best || cursor.ts > this.#rivalTime || (cursor.ts === this.#rivalTime && this.#rivalWinsTie)) {
      this.#choose();
    }
  }

  /** Looks again at the cpus that had nothing: a pipe's may have got new pages. */
  #refresh(): void {
    const before = this.#idle;
    for (let i = 0; i < this.#cursors.length; i++) {
      if (this.#ready[i] || !this.#cursors[i]!.advance()) continue;
      this.#ready[i] = true;
      this.#idle--;
    }
    if (this.#idle !== before) this.#choose();
  }

  #choose(): void {
    let best = -1;
    let bestTime = Infinity;
    let rival = -1;
    let rivalTime = Infinity;
    for (let i = 0; i < this.#cursors.length; i++) {
      if (!this.#ready[i]) continue;
      const { ts } = this.#cursors[i]!;
      if (best < 0 || ts < bestTime) {
        rival = best;
        rivalTime = bestTime;
        best = i;
        bestTime = ts;
      } else if (rival < 0 || ts < rivalTime) {
        rival = i;
        rivalTime = ts;
      }
    }
    this.#best = best;
    this.#rivalTime = rivalTime;
    this.#rivalWinsTie = rival < best;
  }
}
