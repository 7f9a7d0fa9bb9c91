import type { PortCells, SiteCalls } from './cells.js';

/**
 * Hears of each exception that a `catch` takes, before the code of the catch runs. `isKnown` is false where the catch has a
 * pattern for its parameter: then the value is not handed over. Must not throw.
 */
export type CatchListener = (caught: unknown, isKnown: boolean) => void;

/** The calls that `try` and `catch` make: their cells are set while functions are traced, or while somebody hears of catches. */
export class Catches {
  readonly #cells: PortCells;
  readonly #calls: Pick<SiteCalls, 'd' | 'u'>;
  readonly #heard: Pick<SiteCalls, 'd' | 'u'>;
  #isTraced = false;
  #listener: CatchListener | undefined;
  #mark: SiteCalls['d'] | 0 = 0;
  #unwind: SiteCalls['u'] | undefined;

  constructor(cells: PortCells, calls: Pick<SiteCalls, 'd' | 'u'>) {
    this.#cells = cells;
    this.#calls = calls;
    const hear = (caught: unknown, isKnown: boolean): void => this.#listener?.(caught, isKnown);
    this.#heard = {
      d(...caught: [unknown?, unknown?]) {
        // Called by a `catch` whose `try` has no mark, because what it waited for was rejected.
        if (caught.length > 0) hear(caught[0], caught.length === 1);
        return calls.d();
      },
      u(mark, ...caught: [unknown?, unknown?]) {
        if (caught.length === 1) calls.u(mark, caught[0]);
        else calls.u(mark);
        if (caught.length > 0) hear(caught[0], caught.length === 1);
      },
    };
  }

  /** Whether functions are traced. */
  setTraced(isTraced: boolean): void {
    this.#isTraced = isTraced;
    this.#update();
  }

  /** Tells `listener` of all that is caught, until what is returned is called. There is one listener at a time. */
  listen(listener: CatchListener): () => void {
    this.#listener = listener;
    this.#update();
    return () => {
      this.#listener = undefined;
      this.#update();
    };
  }

  #update(): void {
    const calls = this.#listener === undefined ? this.#calls : this.#heard;
    const mark = this.#isTraced || this.#listener !== undefined ? calls.d : 0;
    // A catch may run after the tracer of its try has ended: its call stays.
    if (mark !== 0 && this.#unwind !== calls.u) this.#cells.setCall('u', (this.#unwind = calls.u));
    if (mark !== this.#mark) this.#cells.setCall('d', (this.#mark = mark));
  }
}
