/** A time by which something must have happened. */
export class Deadline {
  #end: number;

  constructor(milliseconds: number) {
    this.#end = performance.now() + milliseconds;
  }

  /** The remaining milliseconds, at least 1. */
  get left(): number {
    return Math.max(1, this.#end - performance.now());
  }

  /** The time is up now. */
  end(): void {
    this.#end = Math.min(this.#end, performance.now());
  }

  get isOver(): boolean {
    return performance.now() >= this.#end;
  }
}
