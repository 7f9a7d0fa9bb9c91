import type { SlowAnswer, SlowTurn } from '../../answers/slow/slow-answer.js';
import { TraceError } from '../../base/errno.js';
import { workingFolder } from '../../base/working-folder.js';
import type { Inspect, TurnWatching } from '../../port/inspect.js';
import { askable } from './askable.js';

/** The most turns that are kept. */
const KEPT = 100;
/** The least threshold in milliseconds: the watch itself takes that long to see a turn. */
export const LEAST_SLOW_MS = 10;

/** Somebody who wants turns over a threshold. */
interface Wanting {
  readonly thresholdMs: number;
  found(turn: SlowTurn): void;
}

/**
 * The turns of the event loop that took too long. They are watched while slow_ms is not 0, or somebody reads from slow_pipes/:
 * once, with the least threshold that is wanted.
 */
export class SlowTurns {
  readonly #inspect: () => Inspect | undefined;
  readonly #wanting = new Set<Wanting>();
  #watching: TurnWatching | undefined;
  #watchedMs = 0;
  #kept: Wanting | undefined;
  #since: Date | undefined;
  #turns: SlowTurn[] = [];
  #forgotten = 0;

  constructor(inspect: () => Inspect | undefined) {
    this.#inspect = inspect;
  }

  /** slow_ms: turns over so many milliseconds are kept; 0: none. */
  get thresholdMs(): number {
    return this.#kept?.thresholdMs ?? 0;
  }

  /** Begins to keep turns, with none; 0 ends it, and what is kept stays. @throws TraceError EINVAL below LEAST_SLOW_MS */
  keep(thresholdMs: number): void {
    const before = this.#kept;
    this.#kept = undefined;
    if (before !== undefined) this.#wanting.delete(before);
    if (thresholdMs !== 0) {
      this.#turns = [];
      this.#forgotten = 0;
      this.#since = new Date();
      const kept = { thresholdMs, found: (turn: SlowTurn) => this.#keep(turn) };
      this.want(kept);
      this.#kept = kept;
    } else this.#watch();
  }

  /** Tells of turns from now on, until what is returned is called. @throws TraceError EINVAL below LEAST_SLOW_MS */
  want(wanting: Wanting): () => void {
    if (!(wanting.thresholdMs >= LEAST_SLOW_MS) || wanting.thresholdMs > 1e9) {
      throw new TraceError('EINVAL', `must be at least ${LEAST_SLOW_MS} milliseconds`);
    }
    askable(this.#inspect());
    this.#wanting.add(wanting);
    this.#watch();
    return () => {
      this.#wanting.delete(wanting);
      this.#watch();
    };
  }

  answer(): SlowAnswer {
    return {
      answer: 'slow',
      version: 1,
      pid: process.pid,
      application: workingFolder('self'),
      thresholdMs: this.thresholdMs,
      ...(this.#since && { since: this.#since.toISOString() }),
      turns: this.#turns,
      forgotten: this.#forgotten,
    };
  }

  #watch(): void {
    const least = Math.min(...[...this.#wanting].map(({ thresholdMs }) => thresholdMs));
    if (least === this.#watchedMs) return;
    this.#watching?.stop();
    this.#watching = undefined;
    this.#watchedMs = least;
    if (least === Number.POSITIVE_INFINITY) return;
    this.#watching = this.#inspect()?.watchTurns(least, (turn) => {
      for (const wanting of this.#wanting) if (turn.ms >= wanting.thresholdMs) wanting.found(turn);
    });
  }

  #keep(turn: SlowTurn): void {
    this.#turns.push(turn);
    if (this.#turns.length <= KEPT) return;
    this.#turns.shift();
    this.#forgotten++;
  }
}
