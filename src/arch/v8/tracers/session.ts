import type { Fgraph } from '../../../ftrace/fgraph.js';
import type { Cells, SiteServices } from './cells.js';
import type { Exits } from './exits.js';

/** Services that a token or a mark may still call after its session: a catch may run after the tracer of its try has ended. */
const ONCE = ['y', 'z', 'w', 'v', 'k', 'u'] as const;

/** What a session needs from its thread. */
export interface SessionHost {
  readonly cells: Cells;
  /** Calls `clear` when an uncaught exception is about to end the program, until the returned function is called. */
  readonly onUncaught: (clear: () => void) => () => void;
}

/** The time while any site of a thread is patched: then the cells of the services are set too. */
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
