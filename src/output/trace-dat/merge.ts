import type { CpuCursor } from './cpu-cursor.js';

/**
 * Merges the events of several CPUs in the order of time; at equal times, the lower CPU comes first. `current` is the cursor at
 * the next event.
 */
export class Merge {
  current: CpuCursor | undefined;
  readonly #cursors: CpuCursor[];
  /** The earliest of the others, and whether it goes first when times are equal. */
  #rivalTime = Infinity;
  #rivalWinsTie = false;

  /** `cursors` in the order of their CPUs. */
  constructor(cursors: Iterable<CpuCursor>) {
    this.#cursors = Array.from(cursors).filter((cursor) => cursor.next());
    this.#choose();
  }

  /** Moves past the current event. */
  advance(): void {
    const cursor = this.current!;
    if (!cursor.next()) {
      this.#cursors.splice(this.#cursors.indexOf(cursor), 1);
      this.#choose();
    } else if (cursor.time >= this.#rivalTime && (cursor.time > this.#rivalTime || this.#rivalWinsTie)) {
      this.#choose();
    }
  }

  #choose(): void {
    let best: CpuCursor | undefined;
    let bestIndex = -1;
    let rival: CpuCursor | undefined;
    let rivalIndex = -1;
    for (let i = 0; i < this.#cursors.length; i++) {
      const cursor = this.#cursors[i]!;
      if (best === undefined || cursor.time < best.time) {
        rival = best;
        rivalIndex = bestIndex;
        best = cursor;
        bestIndex = i;
      } else if (rival === undefined || cursor.time < rival.time) {
        rival = cursor;
        rivalIndex = i;
      }
    }
    this.current = best;
    this.#rivalTime = rival?.time ?? Infinity;
    this.#rivalWinsTie = rivalIndex < bestIndex;
  }
}
