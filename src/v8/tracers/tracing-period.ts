import type { Fgraph } from '../../ftrace/fgraph.js';
import { Catches } from './catches.js';
import type { PortCells, SiteCalls } from './cells.js';
import type { Exits } from './exits.js';

/** Calls that a token may still make after its period. */
const ONCE = ['y', 'z', 'w', 'v', 'k'] as const;

/** What a period needs from its thread. */
export interface TracingPeriodNeeds {
  readonly cells: PortCells;
  /** Calls `clear` when an uncaught exception is about to end the program, until the returned function is called. */
  readonly onUncaught: (clear: (error: unknown) => void) => () => void;
}

/** The time while any site of a thread is patched: then the cells of the other calls are set too. */
export class TracingPeriod {
  /** The calls of `try` and `catch`, which others may hear of, too. */
  readonly catches: Catches;
  readonly #needs: TracingPeriodNeeds;
  readonly #fgraph: Fgraph;
  readonly #exits: Exits;
  #began = false;
  #recordsExits = false;
  #exit: SiteCalls['x'] | undefined;
  #stopListening: (() => void) | undefined;

  constructor(needs: TracingPeriodNeeds, fgraph: Fgraph, exits: Exits) {
    this.#needs = needs;
    this.#fgraph = fgraph;
    this.#exits = exits;
    this.catches = new Catches(needs.cells, exits.calls);
  }

  begin(): void {
    const { cells, onUncaught } = this.#needs;
    const { calls } = this.#exits;
    this.#fgraph.startPeriod();
    if (!this.#began) for (const letter of ONCE) cells.setCall(letter, calls[letter]);
    this.#began = true;
    this.#chooseExit();
    this.catches.setTraced(true);
    this.#stopListening = onUncaught((error) => this.#exits.uncaught(error));
  }

  end(): void {
    this.catches.setTraced(false);
    this.#stopListening?.();
    this.#stopListening = undefined;
  }

  /** Whether frames want exit records, in this period and those to come. */
  setRecordsExits(wanted: boolean): void {
    this.#recordsExits = wanted;
    if (this.#began) this.#chooseExit();
  }

  #chooseExit(): void {
    const { calls, pop } = this.#exits;
    const wanted = this.#recordsExits ? calls.x : pop;
    if (wanted === this.#exit) return;
    this.#exit = wanted;
    this.#needs.cells.setCall('x', wanted);
  }
}
