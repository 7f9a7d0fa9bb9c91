import { AtomicsAdd as addAtomically } from '../../base/primordials.js';
import { highWord, lowWord } from '../../base/words.js';
import type { Long } from '../c-types.js';
import { add, bucket, divide, isGreater, log2, microseconds, multiply, subtract, toLong } from './long.js';
import {
  addToSum,
  hashEnd,
  hashOf,
  hashStep,
  hashWords,
  insert,
  isSet,
  lookUp,
  noteSnapshot,
  openMap,
  putKey,
  putStackKey,
  putTextKey,
  readText,
  readVariable,
  setText,
  setVariable,
  type ThreadMap,
  unset,
} from './map-update.js';
import type { HistPlan } from './plan.js';

/** What the runtime does when an action wants it; on the thread whose event was hit, within the event. Must not throw. */
export interface HistNeeds {
  /**
   * Asked once for each trace action, when the updater is made.
   * @returns what generates the synthetic event: called with the values of its fields in order, numbers, bigints or texts
   */
  readonly trace: (event: string) => (...values: (Long | string)[]) => void;
  /** Takes the snapshot of the instance. */
  readonly snapshot: () => void;
}

// Taken before a program could replace it.

const FUNCTIONS = {
  add,
  subtract,
  multiply,
  divide,
  bucket,
  log2,
  microseconds,
  putKey,
  putTextKey,
  putStackKey,
  hashEnd,
  hashOf,
  hashStep,
  hashWords,
  insert,
  isSet,
  unset,
  readVariable,
  readText,
  addToSum,
  lowWord,
  highWord,
  setVariable,
  setText,
  noteSnapshot,
  /** The slot of a 64-bit field in the usual form: what is no number counts as 0. */
  long: (value: unknown): Long => (typeof value === 'number' ? value : typeof value === 'bigint' ? toLong(value) : 0),
  addLong(words: Int32Array, at: number, value: Long): void {
    addToSum(words, at, lowWord(value), highWord(value));
  },
  countHit(words: Int32Array, at: number): void {
    if (addAtomically(words, at, 1) === -1) addAtomically(words, at + 1, 1);
  },
  /** Another table's entry of a key of `words` words; its keys may have another number of words, and then another hash. */
  lookUpIn: (map: ThreadMap, hash: number, key: Int32Array, words: number): number =>
    lookUp(map, map.keyWords === words ? hash : hashOf(key, map.keyWords), key),
  /** Whether a followed value is a new maximum, or another than the last; if so it is kept. */
  isNew(map: ThreadMap, entry: number, index: number, value: Long, isMax: boolean): boolean {
    const last = readVariable(map, entry, index);
    if (isMax ? !isGreater(value, last) : value === last) return false;
    setVariable(map, entry, index, value);
    return true;
  },
} as const;

/** What an updater uses on one thread: functions, the tables, a key to fill. */
export type UpdaterHelpers = typeof FUNCTIONS & {
  readonly key: Int32Array;
  readonly keyBytes: Uint8Array;
  /** Words that each key took last. */
  readonly taken: Int32Array;
  /** The own table. */
  readonly map: ThreadMap;
  readonly maps: readonly ThreadMap[];
  readonly state: Int32Array;
  /** What each trace action calls, by the action's index. */
  readonly traces: readonly ((...values: (Long | string)[]) => void)[];
  readonly snapshot: () => void;
};

const nothing = (): void => {};

/** The helpers of a plan's updater, for one thread. */
export function updaterHelpers(plan: HistPlan, effects: HistNeeds): UpdaterHelpers {
  const maps = plan.maps.map(openMap);
  const keyWords = Math.max(...maps.map((map) => map.keyWords));
  const key = new Int32Array(keyWords);
  return {
    ...FUNCTIONS,
    key,
    keyBytes: new Uint8Array(key.buffer),
    taken: new Int32Array(plan.keys.length),
    map: maps[0]!,
    maps,
    state: new Int32Array(plan.state),
    traces: plan.actions.map(({ kind, event }) => (kind === 'trace' ? effects.trace(event) : nothing)),
    snapshot: effects.snapshot,
  };
}
