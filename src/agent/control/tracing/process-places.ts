import type { ProbePlace, TracedThread } from '../../../arch/port.js';
import { ownRanges } from '../../../probes/own-ranges.js';
import type { TextTable } from './text-table.js';

/** What the threads answer: where in functions a probe can stand. */
export class ProcessPlaces {
  readonly #threads: () => Iterable<TracedThread>;
  readonly #table: TextTable;
  readonly #answers = new Map<number, readonly ProbePlace[] | undefined>();
  #lastCall = 0;

  /** @param threads the living threads, which are asked */
  constructor(threads: () => Iterable<TracedThread>, table: TextTable) {
    this.#threads = threads;
    this.#table = table;
  }

  /**
   * The places in function `n`, and in none inside it, where a probe can stand, in the order of the text. Undefined if no thread that
   * answers has compiled it.
   */
  async of(n: number): Promise<readonly ProbePlace[] | undefined> {
    const { kind } = this.#table.function(n);
    const probed = { n, address: this.#table.address(n), kind };
    const ranges = ownRanges(this.#table.function(n), this.#table.textOf(n).functions);
    for (const thread of [...this.#threads()]) {
      const call = ++this.#lastCall;
      await thread.send({ type: 'places', call, probed, ranges });
      const places = this.#answers.get(call);
      this.#answers.delete(call);
      if (places !== undefined) return places;
    }
    return undefined;
  }

  /** A thread's answer. */
  told(call: number, places: readonly ProbePlace[] | undefined): void {
    this.#answers.set(call, places);
  }
}
