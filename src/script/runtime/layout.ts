import type { GlobalVariable, HistogramShape } from '../program.js';
import type { ScriptCode } from '../script-code.js';
import type { ScriptType } from '../script-type.js';
import { type LeafKind, LONG_WORDS, textWords, valueWords } from './cells.js';

/** Where everything of a script's memory lies; in 32-bit words. It follows from the code alone, so every thread computes it. */

/** Words of the shared memory before the globals. */
export const SHARED = {
  STATUS: 0,
  /** 0: free; else its holder's writer number, and one. */
  LOCK: 1,
  /** Threads that wait for it. */
  WAITERS: 2,
  ERRORS: 3,
  /** Hits that ran no handler: all, and by reason. */
  SKIPPED: 4,
  SKIPPED_LOCK: 5,
  SKIPPED_REENTRANT: 6,
  SKIPPED_MAXACTIVE: 7,
  /** The script began, in nanoseconds of the trace clock: a double. */
  BEGUN: 8,
  /** Records of the output that found no room. */
  LOST: 10,
} as const;
const SHARED_WORDS = 16;

/** A part of a key or of a value: a tuple has one for each element. */
export interface Leaf {
  readonly kind: LeafKind;
  readonly at: number;
}

export interface ScalarLayout {
  readonly kind: 'scalar';
  /** A word that is not 0 where it was written: bpftrace prints no other. */
  readonly setAt: number;
  readonly leaves: readonly Leaf[];
}

/** Words of an array before its buckets. GONE is the entry removed last: it is still counted, in its chain and in the list. */
export const ARRAY = { COUNT: 0, HEAD: 1, TAIL: 2, FREE: 3, FRESH: 4, GONE: 5, WORDS: 8 } as const;
/** Words of an entry before its key. */
export const ENTRY = { HASH: 0, CHAIN: 1, PREVIOUS: 2, NEXT: 3, IS_THERE: 4, WORDS: 6 } as const;

export interface ArrayLayout {
  readonly kind: 'array';
  readonly at: number;
  readonly maxEntries: number;
  readonly wraps: boolean;
  /** Number of buckets less one. */
  readonly mask: number;
  readonly entriesAt: number;
  readonly entryWords: number;
  /** Places within a key. */
  readonly keys: readonly Leaf[];
  readonly keyWords: number;
  /** Places within an entry. */
  readonly values: readonly Leaf[];
}

/** Words of a table of aggregates before its entries. */
export const TABLE = { COUNT: 0, GENERATION: 1, OLDEST: 2, WORDS: 4 } as const;
/**
 * Words of an aggregate: who deletes it counts up REQUEST, and its writer follows in SEEN. VERSION is odd while its place is
 * given to another key.
 */
export const AGGREGATE = {
  REQUEST: 0,
  SEEN: 1,
  IS_ZEROED: 2,
  VERSION: 3,
  COUNT: 4,
  SUM: 6,
  MIN: 10,
  MAX: 14,
  VARIANCE: 18,
  WORDS: 24,
} as const;

export interface StatsLayout {
  readonly kind: 'stats';
  /** In the memory of a writer. */
  readonly at: number;
  readonly maxEntries: number;
  readonly wraps: boolean;
  readonly isScalar: boolean;
  readonly entryWords: number;
  /** Places within an entry. */
  readonly keys: readonly Leaf[];
  readonly bucketsAt: number;
  readonly buckets: number;
  readonly histogram: HistogramShape | undefined;
  readonly varianceBits: number | undefined;
}

export type GlobalLayout = ScalarLayout | ArrayLayout | StatsLayout;

export interface ScriptLayout {
  readonly globals: readonly GlobalLayout[];
  readonly sharedWords: number;
  /** The hits of handlers stand first in a writer's memory, a double each, and then the time that they took. */
  readonly tableWords: number;
  /** The longest key. */
  readonly keyWords: number;
}

const even = (words: number): number => words + (words & 1);

/** Units of the longest stack that is kept. */
const STACK_UNITS = 4096;

/** The parts of a type. */
export function leavesOf(type: ScriptType): readonly LeafKind[] {
  if (typeof type === 'object') return type.tuple.flatMap(leavesOf);
  return type === 'stats' ? [] : [type];
}

/** Words of a part: of a key, whose longs have two words, or of a value, as in cells.ts. */
function wordsOf(kind: LeafKind, room: number, isKey: boolean): number {
  if (kind === 'long') return isKey ? 2 : LONG_WORDS;
  return kind === 'value' ? valueWords(room) : textWords(kind === 'stack' ? STACK_UNITS : room);
}

/** Places parts behind each other. */
function place(
  types: readonly ScriptType[],
  from: number,
  room: number,
  isKey: boolean,
): { readonly leaves: readonly Leaf[]; readonly end: number } {
  let end = from;
  const leaves = types.flatMap(leavesOf).map((kind): Leaf => {
    const at = end;
    end += wordsOf(kind, room, isKey);
    return { kind, at };
  });
  return { leaves, end };
}

function arrayLayout(global: GlobalVariable, at: number, room: number): ArrayLayout & { readonly end: number } {
  const { maxEntries, keys, type, wraps = false } = global;
  const buckets = 2 ** Math.ceil(Math.log2(Math.max(2, maxEntries)));
  const key = place(keys, 0, room, true);
  const value = place([type], even(ENTRY.WORDS + key.end), room, false);
  const entriesAt = even(at + ARRAY.WORDS + buckets);
  const entryWords = even(value.end);
  return {
    kind: 'array',
    at,
    maxEntries,
    wraps,
    mask: buckets - 1,
    entriesAt,
    entryWords,
    keys: key.leaves,
    keyWords: key.end,
    values: value.leaves,
    end: entriesAt + entryWords * maxEntries,
  };
}

/** Buckets of a histogram, those for what is less and more than the range included. */
function bucketsOf(shape: HistogramShape | undefined, language: ScriptCode['language']): number {
  if (shape === undefined) return 0;
  if (shape.kind === 'log') return 128;
  if (shape.kind === 'log2') return 66;
  return Math.floor((shape.to - shape.from) / shape.step) + (language === 'stap' ? 3 : 2);
}

function statsLayout(
  { maxEntries, keys, stats, wraps = false }: GlobalVariable,
  at: number,
  room: number,
  language: ScriptCode['language'],
): StatsLayout & { readonly end: number } {
  const buckets = bucketsOf(stats?.histogram, language);
  const key = place(keys, AGGREGATE.WORDS, room, false);
  const bucketsAt = even(key.end);
  const entryWords = bucketsAt + 2 * buckets;
  const entries = keys.length === 0 ? 1 : maxEntries;
  return {
    kind: 'stats',
    at,
    maxEntries: entries,
    wraps,
    isScalar: keys.length === 0,
    entryWords,
    keys: key.leaves,
    bucketsAt,
    buckets,
    histogram: stats?.histogram,
    varianceBits: stats?.varianceBits,
    end: at + TABLE.WORDS + entryWords * entries,
  };
}

/** The layout of a script's memory. */
export function layoutOf(
  code: Pick<ScriptCode, 'language' | 'globals' | 'limits'> & { readonly handlers: readonly unknown[] },
): ScriptLayout {
  let sharedWords = SHARED_WORDS;
  let tableWords = 2 * (code.handlers.length + 1);
  let keyWords = 2;
  const globals = code.globals.map((global): GlobalLayout => {
    const room = code.limits.MAXSTRINGLEN - 1;
    if (global.type === 'stats') {
      const { end, ...layout } = statsLayout(global, tableWords, room, code.language);
      tableWords = end;
      return layout;
    }
    if (global.keys.length === 0) {
      const setAt = sharedWords;
      const { leaves, end } = place([global.type], setAt + 2, room, false);
      sharedWords = end;
      return { kind: 'scalar', setAt, leaves };
    }
    const { end, ...layout } = arrayLayout(global, sharedWords, room);
    sharedWords = end;
    keyWords = Math.max(keyWords, layout.keyWords);
    return layout;
  });
  return { globals, sharedWords, tableWords, keyWords };
}
