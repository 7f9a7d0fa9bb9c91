import { type RecordCursor, RecordPlace } from './record-cursor.js';

/** The next records of several cpus: `take` gives them in the order of time, `peek` looks one ahead on the same cpu. */
export class RecordMerge extends RecordPlace {
  readonly #cursors: readonly RecordCursor[];
  /** Whether each cursor is at a record that was not taken. */
  readonly #ready: boolean[];
  /** The cursor of the record that was taken last; its words stay valid while the next records are read. */
  #index = 0;

  constructor(cursors: readonly RecordCursor[]) {
    super(0);
    this.#cursors = cursors;
    this.#ready = cursors.map((cursor) => cursor.advance());
  }

  /** True when nothing is left to take now. */
  get isEmpty(): boolean {
    return !this.#refresh();
  }

  /** Takes the earliest record; of equal ones, that of the lowest cpu. Returns false if there is none now. */
  take(): boolean {
    if (!this.#refresh()) return false;
    const index = this.#earliest();
    const cursor = this.#cursors[index]!;
    this.#index = index;
    this.words = cursor.words;
    this.bytes = cursor.bytes;
    this.at = cursor.at;
    this.size = cursor.size;
    this.ts = cursor.ts;
    this.lost = cursor.lost;
    this.cpu = cursor.cpu;
    this.#ready[index] = cursor.advance();
    return true;
  }

  /** The record that follows the taken one on its cpu, or undefined. */
  peek(): RecordCursor | undefined {
    return this.#ready[this.#index] ? this.#cursors[this.#index] : undefined;
  }

  /** Skips the record that `peek` returned. */
  skip(): void {
    this.#ready[this.#index] = this.#cursors[this.#index]!.advance();
  }

  /** Time of the next record of any cpu, or undefined. */
  nextTime(): number | undefined {
    return this.#refresh() ? this.#cursors[this.#earliest()]!.ts : undefined;
  }

  #earliest(): number {
    let best = -1;
    let bestTime = 0;
    for (let i = 0; i < this.#cursors.length; i++) {
      if (!this.#ready[i]) continue;
      const { ts } = this.#cursors[i]!;
      if (best < 0 || ts < bestTime) {
        best = i;
        bestTime = ts;
      }
    }
    return best;
  }

  /** Checks the cpus that had nothing again: those of a pipe may have new pages. */
  #refresh(): boolean {
    let any = false;
    for (let i = 0; i < this.#cursors.length; i++) {
      this.#ready[i] ||= this.#cursors[i]!.advance();
      any ||= this.#ready[i]!;
    }
    return any;
  }
}
