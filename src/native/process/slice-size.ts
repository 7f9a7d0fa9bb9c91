/** Changes in the first slice, and in the largest. */
const FIRST = 256;
const MOST = 8192;
/**
 * How long the changes of a slice are to take, in milliseconds: less than a stop may last, since the next slice may be slower.
 */
const WANTED = 1.5;
/** The milliseconds for which the process runs between two slices. */
export const BETWEEN_SLICES = 2;
/** A slice has at most so many times as many as the one before. */
const GROWTH = 2;

/** How many changes are made while a process stands still, by how long those before took: a large change goes in slices. */
export class SliceSize {
  #changes = FIRST;

  get changes(): number {
    return this.#changes;
  }

  /** So many changes took so many milliseconds. */
  took(changes: number, ms: number): void {
    if (changes < this.#changes / 2) return;
    const fitting = (changes * WANTED) / Math.max(ms, 0.01);
    this.#changes = Math.round(Math.min(Math.max(fitting, FIRST / 4), this.#changes * GROWTH, MOST));
  }
}
