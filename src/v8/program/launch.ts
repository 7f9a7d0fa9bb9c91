import type { Parameters } from '../../port/parameters.js';
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
  /** Path of the control socket; undefined: from the process's own environment. */
  readonly socketPath?: string;
  /** FENTRY is set: the control thread starts at once, and reports problems. */
  readonly isAsked: boolean;
  /** The program already runs: the agent can be detached again. */
  readonly isLate: boolean;
  /** What reaches the functions that a late agent finds. */
  readonly late?: Late;
}

/** What an attached agent has in addition. */
export interface Late {
  /** The cells of the thread, which also reach functions without sites. */
  cells(realm: Realm, thread: () => Teller, foreign: () => AddressOfForeign): LateCells;
}

/** What a detached agent leaves in a thread: texts with sites, which stay, and the numbers in them. */
export interface Left {
  readonly links: SharedArrayBuffer;
  readonly realm: Realm;
  readonly texts: readonly LinkEvent[];
}
