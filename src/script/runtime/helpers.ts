import {
  BigIntAsIntN as asIntN,
  BigIntAsUintN as asUintN,
  BigInt_ as bigInt,
  NumberIsInteger as isInteger,
} from '../../base/primordials.js';
import type { Long } from '../../events/c-types.js';
import type { PosixPattern } from '../posix-pattern.js';
import type { Extractor } from '../program.js';
import { type AggregateTable, emptyStats, type Stats } from './aggregate-table.js';
import { EXTRACT, type MergedEntry } from './aggregates.js';
import type { ArrayTable } from './array-table.js';
import { BUILTIN_FUNCTIONS } from './builtin-functions.js';
import { readLeaf, readLong, writeLeaf, writeLong } from './cells.js';
import { decimal } from './decimal.js';
import { formatText } from './format-text.js';
import type { HandlerState, Visit } from './handler-state.js';
import { stapHistogram } from './histogram-text.js';
import type { KeyPart } from './key-index.js';
import { release, wake } from './lock.js';
import * as longs from './longs.js';
import { matchPattern } from './match-pattern.js';
import { LONG_ROOM, MOST_WORDS, putArgument, roomOf } from './output-records.js';
import { printElement } from './print-map.js';
import { type IsBehind, sortedTop } from './sort-entries.js';
import { stackText } from './stack-text.js';
import { compareTexts, cut, plainHash, untilZero } from './text.js';

/** The functions that a script's code calls as `h`. The first argument of most is the script on the thread. */

/** Any key, in a slice; a fetch that was not taken yet. */
const NONE = { none: true };

const isBehindBy =
  (isDescending: boolean, orderOf: (entry: never) => Long | string): IsBehind<never> =>
  (a, b) => {
    const first = orderOf(a);
    const second = orderOf(b);
    if (typeof first === 'string' || typeof second === 'string') {
      const order = compareTexts(String(first), String(second));
      return isDescending ? order < 0 : order > 0;
    }
    return isDescending ? first < second : first > second;
  };

/** How many entries a visit has at most; all of them without a limit. */
const limited = (count: number, limit: Long | undefined): number =>
  limit === undefined || limit > count ? count : limit < 0 ? 0 : Number(limit);

/** Whether a key is one of a slice. */
const isIn = (key: (n: number) => KeyPart, slice: readonly unknown[]): boolean => {
  for (let n = 0; n < slice.length; n++) if (slice[n] !== NONE && slice[n] !== key(n)) return false;
  return true;
};

const full = (s: HandlerState, place: string, size: number): never | 0 => {
  if (s.code.language === 'bpftrace') return 0;
  return s.fail(size === 0 ? 'Array overflow, check MAXMAPENTRIES' : `Array overflow, check size limit (${size})`, place);
};

const FUNCTIONS = {
  ...longs,
  NONE,
  MOST_WORDS,
  builtins: BUILTIN_FUNCTIONS,
  compareTexts,
  decimal: (value: Long): string => decimal(value),
  readLong,
  writeLong,
  readLeaf,
  writeLeaf,
  roomOf,
  LONG_ROOM,
  full,
  wake: (s: HandlerState): void => wake(s.words),
  unlock: (s: HandlerState): void => release(s.words),

  /** The entry of the key that was put; in SystemTap it is an error if there is no room, in bpftrace there is none: 0. */
  entry: (_s: HandlerState, table: ArrayTable, place: string, size: number): number => {
    const entry = table.insert();
    return entry !== 0 ? entry : full(_s, place, size);
  },

  entryLong: (_s: HandlerState, table: ArrayTable, key: Long, place: string, size: number): number => {
    const entry = table.insertLong(key);
    return entry !== 0 ? entry : full(_s, place, size);
  },

  divided(
    s: HandlerState,
    operation: (a: Long, b: Long) => Long,
    a: Long,
    b: Long,
    isRest: boolean,
    place: string | undefined,
  ): Long {
    if (b !== 0) return operation(a, b);
    if (place === undefined) return isRest ? a : 0;
    return s.fail('division by 0', place);
  },

  exceeded: (s: HandlerState, place: string): never => s.fail('MAXACTION exceeded', place),

  enter(s: HandlerState, place: string): void {
    if (s.nesting >= s.code.limits.MAXNESTING) s.fail('MAXNESTING exceeded', place);
    s.nesting++;
  },

  /** The message of an error that `try` catches; an error of too many statements cannot be caught. */
  caught(s: HandlerState, error: unknown): string {
    if (error !== s.failure || s.left <= 0) throw error;
    return cut(s.message, s.room);
  },

  join: (s: HandlerState, a: string, b: string): string => cut(a + b, s.room),
  cut: (s: HandlerState, text: string): string => cut(text, s.room),
  stackText,
  /** A value as it is stored. */
  keep(s: HandlerState, value: unknown): Long | string {
    if (typeof value === 'number' && isInteger(value)) {
      return value <= longs.SAFE && value >= -longs.SAFE ? value + 0 : s.context.values.integerOf(value, 8, true);
    }
    if (typeof value === 'bigint') return longs.toLong(value);
    return FUNCTIONS.textOf(s, value);
  },
  textOf: (s: HandlerState, value: unknown): string =>
    cut(untilZero(typeof value === 'string' ? value : s.context.values.stringOf(value)), s.room),
  /** The entry of an aggregate whose key is the text of a value. */
  entryText(s: HandlerState, table: AggregateTable, value: unknown): number {
    const hash = typeof value === 'string' ? plainHash(value, s.room) : 0;
    return hash === 0 ? table.entry1(FUNCTIONS.textOf(s, value)) : table.entryText(value as string, hash);
  },
  toLong(s: HandlerState, value: unknown, size: number, isSigned: boolean): Long {
    if (typeof value === 'number' && size === 8 && (value | 0) === value) return value + 0;
    const long = s.context.values.integerOf(value, size, isSigned);
    return typeof long === 'bigint' ? longs.toLong(long) : long;
  },
  cutLong: (value: Long, size: number, isSigned: boolean): Long =>
    longs.toLong(isSigned ? asIntN(8 * size, bigInt(value)) : asUintN(8 * size, bigInt(value))),
  shown: (s: HandlerState, value: unknown, isDeep: boolean): string =>
    cut(untilZero(s.context.values.shownOf(value, isDeep)), s.room),
  member: (s: HandlerState, value: unknown, key: unknown): unknown =>
    s.context.values.memberOf(
      value,
      typeof key === 'string' ? key : typeof key === 'number' || typeof key === 'bigint' ? decimal(key) : '',
    ),
  saved: (saved: readonly unknown[] | undefined, index: number, absent: unknown): unknown =>
    saved === undefined ? absent : saved[index],
  parameters: (s: HandlerState): string => cut(s.context.parameters?.(s.at) ?? '', s.room),

  matches(s: HandlerState, pattern: PosixPattern, text: string): number {
    if (!matchPattern(pattern, text)) return 0;
    s.matched = pattern;
    s.matchedText = text;
    return 1;
  },

  sprintf: (s: HandlerState, format: number, args: readonly (Long | string)[]): string =>
    cut(untilZero(formatText(s.code.formats[format]!, args, s.code.language)), s.room),

  /** Begins a record of so many words behind the number of its format. @returns whether there is room */
  open(s: HandlerState, format: number, words: number): boolean {
    const at = s.ring.reserve(4 + 4 * words, s.context.nsecs());
    if (at < 0) {
      s.lost();
      return false;
    }
    s.ring.u32[at] = format;
    s.to = at + 1;
    return true;
  },
  putLong(s: HandlerState, value: Long): void {
    s.to = putArgument(s.ring.u32, s.to, value);
  },
  putPart(s: HandlerState, value: Long | string): void {
    s.to = putArgument(s.ring.u32, s.to, value);
  },
  printWhole: (s: HandlerState, format: number, args: readonly (Long | string)[]): void =>
    s.print('out', formatText(s.code.formats[format]!, args, s.code.language)),

  /** The entries of an array in the order of a visit. */
  visit(s: HandlerState, id: number, limit?: Long, by?: number, _what?: Extractor, isDescending = false): readonly number[] {
    const table = s.arrays[id]!;
    let entries = table.entries();
    if (by !== undefined) {
      const orderOf = (entry: number): Long | string => (by === 0 ? table.value(entry, 0) : table.key(entry, by - 1));
      entries = sortedTop(
        entries,
        limit === undefined ? 0 : limited(1000, limit),
        isBehindBy(isDescending, orderOf as never) as IsBehind<number>,
      );
      table.reorder(entries);
    }
    entries.length = limited(entries.length, limit);
    return entries;
  },
  visitStats(
    s: HandlerState,
    id: number,
    limit?: Long,
    by?: number,
    what?: Extractor,
    isDescending = false,
  ): readonly MergedEntry[] {
    const aggregate = s.merged[id]!;
    let entries = aggregate.entries();
    if (by !== undefined) {
      const bits = aggregate.layout.varianceBits ?? 0;
      const orderOf = ({ key, stats }: MergedEntry): Long | string =>
        by === 0 ? EXTRACT[what ?? 'count'](stats, bits) : key[by - 1]!;
      entries = sortedTop(
        entries,
        limit === undefined ? 0 : limited(1000, limit),
        isBehindBy(isDescending, orderOf as never) as IsBehind<MergedEntry>,
      );
    }
    entries.length = limited(entries.length, limit);
    return entries;
  },

  hasStats: (s: HandlerState, id: number, key: readonly KeyPart[]): number => (statsOf(s, id, key) === undefined ? 0 : 1),
  beginVisit(s: HandlerState, id: number): Visit {
    const visit: Visit = { entry: undefined, outer: s.visits[id] };
    s.visits[id] = visit;
    return visit;
  },
  endVisit(s: HandlerState, id: number, visit: Visit): void {
    s.visits[id] = visit.outer;
  },
  hasSome(s: HandlerState, id: number, slice: readonly unknown[]): number {
    const table = s.arrays[id]!;
    const entries = table.entries();
    for (let i = 0; i < entries.length; i++) if (isIn((n) => table.key(entries[i]!, n), slice)) return 1;
    return 0;
  },
  hasSomeStats(s: HandlerState, id: number, slice: readonly unknown[]): number {
    const entries = s.merged[id]!.entries();
    for (let i = 0; i < entries.length; i++) if (isIn((n) => entries[i]!.key[n]!, slice)) return 1;
    return 0;
  },

  extract(s: HandlerState, id: number, what: Extractor, key: readonly KeyPart[], place: string): Long {
    const stats = statsOf(s, id, key);
    if (stats !== undefined && stats.count > 0) return EXTRACT[what](stats, s.merged[id]!.layout.varianceBits ?? 0);
    if (what === 'count' || what === 'sum' || s.code.language === 'bpftrace') return 0;
    return s.fail('empty aggregate', place);
  },
  bucket(s: HandlerState, id: number, key: readonly KeyPart[], index: Long, place: string): Long {
    const { buckets } = samples(s, id, key, place);
    if (index < 0 || index >= buckets.length) return s.fail('histogram index out of range', place);
    return buckets[Number(index)]!;
  },
  /** What the buckets of a histogram have now; of no samples nothing. */
  buckets(s: HandlerState, id: number, key: readonly KeyPart[], limit?: Long): readonly number[] {
    const { buckets } = statsOf(s, id, key) ?? emptyStats(s.merged[id]!.layout.buckets);
    const first: number[] = [];
    for (let i = 0; i < limited(buckets.length, limit); i++) first[i] = buckets[i]!;
    return first;
  },
  histogramText: (s: HandlerState, id: number, key: readonly KeyPart[], place: string): string =>
    stapHistogram(s.merged[id]!.layout.histogram!, samples(s, id, key, place).buckets),

  deleteKey(s: HandlerState, id: number, key: readonly unknown[]): void {
    const table = s.arrays[id]!;
    if (hasNone(key)) {
      const entries = table.entries();
      for (let i = 0; i < entries.length; i++) if (isIn((n) => table.key(entries[i]!, n), key)) table.remove(entries[i]!);
      return;
    }
    for (let n = 0; n < key.length; n++) table.put(n, key[n] as KeyPart);
    table.remove(table.find());
  },
  deleteStats(s: HandlerState, id: number, key: readonly unknown[]): void {
    const aggregate = s.merged[id]!;
    const entries = hasNone(key) ? aggregate.entries() : [];
    if (!hasNone(key)) aggregate.remove(key as readonly KeyPart[]);
    for (let i = 0; i < entries.length; i++) if (isIn((n) => entries[i]!.key[n]!, key)) aggregate.remove(entries[i]!.key);
  },
  /** Deletes all of a global. */
  clear(s: HandlerState, id: number): void {
    const layout = s.layout.globals[id]!;
    if (layout.kind === 'array') {
      if (s.code.language === 'bpftrace') s.later('clear', id);
      else s.arrays[id]!.clear();
    }
    if (layout.kind !== 'scalar') return;
    s.words[layout.setAt] = 0;
    for (let i = 0; i < layout.leaves.length; i++) {
      const { kind, at } = layout.leaves[i]!;
      writeLeaf(s.view, kind, at, kind === 'string' || kind === 'stack' ? '' : 0);
    }
  },
  clearStats(s: HandlerState, id: number): void {
    if (s.code.language === 'bpftrace') s.later('clear', id);
    else s.merged[id]!.clear(false);
  },
  /** Sets all values to 0; and prints all. As in bpftrace, the control thread does so when it comes to the record. */
  zero: (s: HandlerState, id: number): void => s.later('zero', id),
  printMap: (s: HandlerState, id: number, top: Long, div: Long): void => s.later('print', id, Number(top), Number(div)),
  printElement: (s: HandlerState, id: number, key: readonly KeyPart[]): void => s.print('out', printElement(s, id, key)),
} as const;

const hasNone = (key: readonly unknown[]): boolean => {
  for (let n = 0; n < key.length; n++) if (key[n] === NONE) return true;
  return false;
};

/**
 * The samples of a key; undefined: there is no entry. What a foreach is at has those that it had when the loop began, if it was
 * dropped since: a table that wraps gives its place to another key while its thread runs on.
 */
function statsOf(s: HandlerState, id: number, key: readonly KeyPart[]): Stats | undefined {
  const stats = s.merged[id]!.find(key);
  if (stats !== undefined && stats.count > 0) return stats;
  for (let visit = s.visits[id]; visit !== undefined; visit = visit.outer) {
    const { entry } = visit;
    if (entry !== undefined && isIn((n) => entry.key[n]!, key)) return entry.stats;
  }
  return stats;
}

/** The samples of a key that has some. */
function samples(s: HandlerState, id: number, key: readonly KeyPart[], place: string): Stats {
  const stats = statsOf(s, id, key);
  return stats === undefined || stats.count === 0 ? s.fail('empty aggregate', place) : stats;
}

/** What a script's code calls as `h`. */
export const HELPERS = FUNCTIONS;
