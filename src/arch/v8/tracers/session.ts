import type { Fgraph } from '../../../ftrace/fgraph.js';
import type { Cells, SiteServices } from './cells.js';
import type { Exits } from './exits.js';

/** Services that a token or a mark may still call after its session: a catch may outlive the tracer that its try met. */
const ONCE = ['y', 'z', 'w', 'v', 'k', 'u'] as const;

/** What a session needs of its thread. */
export interface SessionHost {
  readonly cells: Cells;
  /** Has `clear` called when an uncaught exception is about to end the program, and no more after the returned call. */
  readonly onUncaught: (clear: () => void) => () => void;
}

/** The time in which any site of a thread is patched: what sites call besides their entries is there, too. */
export class Session {
  readonly #host: SessionHost;
  readonly #fgraph: Fgraph;
  readonly #exits: Exits;
  #began = false;
  #recordsExits = false;
  #exit: SiteServices['x'] | undefined;
  #stopListening: (() => void) | undefined;

  constructor(host: SessionHost, fgraph: Fgraph, exits: Exits) {
    this.#host = host;
    this.#fgraph = fgraph;
    this.#exits = exits;
  }

  begin(): void {
    const { cells, onUncaught } = this.#host;
    const { services } = this.#exits;
    this.#fgraph.startSession();
    if (!this.#began) for (const letter of ONCE) cells.setService(letter, services[letter]);
    this.#began = true;
    this.#chooseExit();
    cells.setService('d', services.d);
    this.#stopListening = onUncaught(() => this.#fgraph.unwindTo(0));
  }

  end(): void {
    this.#host.cells.setService('d', 0);
    this.#stopListening?.();
    this.#stopListening = undefined;
  }

  /** Whether frames want exit records, in this session and those to come. */
  setRecordsExits(wanted: boolean): void {
    this.#recordsExits = wanted;
    if (this.#began) this.#chooseExit();
  }

  #chooseExit(): void {
    const { services, pop } = this.#exits;
    const wanted = this.#recordsExits ? services.x : pop;
    if (wanted === this.#exit) return;
    this.#exit = wanted;
    this.#host.cells.setService('x', wanted);
  }
}
