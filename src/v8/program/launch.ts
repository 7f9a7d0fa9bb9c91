import type { Parameters } from '../../port/parameters.js';
import type { LinkEvent } from '../loader/link-event.js';
import type { AddressOfForeign } from '../realm/capture-callers.js';
import type { Realm } from '../realm/realm.js';
import type { ProcessShare } from '../shared/protocol.js';
import type { AttachedCells, Teller } from './attached-cells.js';

/** How the agent of a thread is started. */
export interface Launch {
  readonly parameters: Parameters;
  /** What the process's threads share; undefined in the first of them. */
  readonly share: ProcessShare | undefined;
  /** Path of the control socket; undefined: from the process's own environment. */
  readonly socketPath?: string;
  /** FENTRY is set: the control thread starts at once, and reports problems. */
  readonly isAsked: boolean;
  /** Present if the program already runs: its functions without sites are reached then, and the agent can be detached again. */
  readonly attached?: MakeAttachedCells;
}

/** Makes the cells of a thread that fentry was attached to. */
export type MakeAttachedCells = (realm: Realm, thread: () => Teller, foreign: () => AddressOfForeign) => AttachedCells;

/** What a detached agent leaves in a thread: texts with sites, which stay, and the numbers in them. */
export interface Left {
  readonly links: SharedArrayBuffer;
  readonly realm: Realm;
  readonly texts: readonly LinkEvent[];
}
