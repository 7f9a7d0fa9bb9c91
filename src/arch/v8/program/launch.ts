import type { Parameters } from '../../../agent/parameters.js';
import type { LinkEvent } from '../loader/link-event.js';
import type { AddressOfForeign } from '../realm/find-caller.js';
import type { Realm } from '../realm/realm.js';
import type { ProcessShare } from '../shared/protocol.js';
import type { LateCells, Teller } from './late-cells.js';

/** How the agent of a thread is started. */
export interface Launch {
  readonly parameters: Parameters;
  /** What the process's threads share; undefined in the first of them. */
  readonly share: ProcessShare | undefined;
  /** Path of the control socket; undefined: where the process's own environment puts it. */
  readonly socketPath?: string;
  /** Somebody set FENTRY: the control thread starts at once, and says what went wrong. */
  readonly isAsked: boolean;
  /** The program runs already: the agent may be taken out of it again. */
  readonly isLate: boolean;
  /** What reaches the functions that a late agent finds. */
  readonly late?: Late;
}

/** What an agent has that came to a running program. */
export interface Late {
  /** The cells of the thread, with those functions reached too that have no site. */
  cells(realm: Realm, thread: () => Teller, foreign: () => AddressOfForeign): LateCells;
}

/** What a detached agent leaves in a thread where it gave texts sites: they stay, and the numbers that they hold. */
export interface Left {
  readonly links: SharedArrayBuffer;
  readonly realm: Realm;
  readonly texts: readonly LinkEvent[];
}
