import { AtomicsLoad, AtomicsStore } from '../../base/primordials.js';
import type { HistData } from './hist-data.js';
import type { HistEvent } from './hist-event.js';

/** A hist trigger of an event. Triggers with one name share `data` and `map`. */
export interface HistTrigger {
  /** The trigger's number within the process, which no other trigger gets. */
  readonly id: number;
  readonly event: HistEvent;
  readonly data: HistData;
  /** What stands behind `if`. */
  readonly filter: string | undefined;
  /** `name=NAME` */
  readonly name: string | undefined;
  /** The trigger of that name that came first, if this is another one. */
  readonly base: HistTrigger | undefined;
  /** The table: shared memory as tracing-map.ts lays it out. */
  readonly map: SharedArrayBuffer;
  /** One word: 1 while it is paused. All threads see it at once. */
  readonly state: SharedArrayBuffer;
  readonly isPaused: boolean;
}

/** Makes a hist trigger of parsed data. */
export function newTrigger(wanted: Omit<HistTrigger, 'state' | 'isPaused'>, isPaused: boolean): HistTrigger {
  const state = new SharedArrayBuffer(4);
  const words = new Int32Array(state);
  words[0] = isPaused ? 1 : 0;
  return {
    ...wanted,
    state,
    get isPaused() {
      return AtomicsLoad(words, 0) === 1;
    },
  };
}

/** Pauses or continues a trigger; from any thread. */
export const setPaused = (state: SharedArrayBuffer, isPaused: boolean): void => {
  AtomicsStore(new Int32Array(state), 0, isPaused ? 1 : 0);
};
