import { TraceError } from '../../base/errno.js';
import { AtomicsLoad, AtomicsStore } from '../../base/primordials.js';
import { allocateShared } from '../../base/shared-memory.js';
import type { Long } from '../c-types.js';
import { ofWords } from './long.js';
import { textOf } from './map-text.js';

/**
 * The table of a hist trigger in shared memory (kernel/trace/tracing_map.c): all threads of the process add to it without a lock,
 * the control thread reads it meanwhile. A header, 2 * 2**bits slots of a hash and an entry's place, and the entries, which are
 * given out once and never move. All in 32-bit words:
 *
 *     entry: key | sums, 2 words each | variables, a double each | their states | comm | texts of 256 bytes
 */
export const HEADER = {
  /** Entries given out; can be more than there are by one a thread. */
  NEXT: 0,
  /** Hits that found no entry, 64 bits. */
  DROPS: 1,
  BITS: 3,
  KEY_WORDS: 4,
  ENTRY_WORDS: 5,
  SUMS: 6,
  VARIABLES: 7,
  TEXTS: 8,
  HAS_COMM: 9,
  /** What snapshot() noted: whether a thread is about to, whether there is one, the value, the comm, the key. */
  SNAPSHOT_LOCK: 10,
  SNAPSHOT_SET: 11,
  SNAPSHOT_VALUE: 12,
  SNAPSHOT_COMM: 14,
  SNAPSHOT_KEY: 18,
  /** A thread empties the full table. */
  RENEWING: 255,
} as const;
/** Words of the header; the longest key has 224: 384 bytes, and two texts of 256. */
export const HEADER_WORDS = 256;

/** The state of a variable: unset; the number beside it; a 64-bit integer in two words; a text. */
export const STATE = { UNSET: 0, NUMBER: 1, WORDS: 2, TEXT: 3 } as const;

/** Bytes of a comm, with the zero byte at its end (TASK_COMM_LEN), and of a text. */
export const COMM_BYTES = 16;
export const TEXT_WORDS = 64;

/** What an entry holds. */
export interface MapShape {
  /** There are 2 ** bits entries. */
  readonly bits: number;
  /** Words of a key, an even number. */
  readonly keyWords: number;
  /** Sums of an entry; the first is the hitcount. */
  readonly sums: number;
  readonly variables: number;
  readonly texts: number;
  /** Whether an entry keeps the comm of the task that made it. */
  readonly hasComm: boolean;
}

const even = (words: number): number => words + (words & 1);

/** Places within an entry, in words. */
export interface EntryLayout extends MapShape {
  readonly sumsAt: number;
  readonly variablesAt: number;
  readonly statesAt: number;
  readonly commAt: number;
  readonly textsAt: number;
  readonly entryWords: number;
}

export function layoutOf(shape: MapShape): EntryLayout {
  const sumsAt = shape.keyWords;
  const variablesAt = sumsAt + 2 * shape.sums;
  const statesAt = variablesAt + 2 * shape.variables;
  const commAt = statesAt + even(shape.variables);
  const textsAt = commAt + (shape.hasComm ? COMM_BYTES / 4 : 0);
  return { ...shape, sumsAt, variablesAt, statesAt, commAt, textsAt, entryWords: textsAt + TEXT_WORDS * shape.texts };
}

/** Words of the slots. */
export const slotWords = (bits: number): number => 2 ** (bits + 2);

/** A new, empty table. @throws TraceError ENOMEM */
export function createMap(shape: MapShape): SharedArrayBuffer {
  const { bits, entryWords } = layoutOf(shape);
  const bytes = 4 * (HEADER_WORDS + slotWords(bits) + entryWords * 2 ** bits);
  let memory: SharedArrayBuffer;
  try {
    memory = allocateShared(bytes);
  } catch {
    throw new TraceError('ENOMEM', `no memory for a table of ${bytes} bytes`);
  }
  const words = new Int32Array(memory);
  words[HEADER.BITS] = bits;
  words[HEADER.KEY_WORDS] = shape.keyWords;
  words[HEADER.ENTRY_WORDS] = entryWords;
  words[HEADER.SUMS] = shape.sums;
  words[HEADER.VARIABLES] = shape.variables;
  words[HEADER.TEXTS] = shape.texts;
  words[HEADER.HAS_COMM] = shape.hasComm ? 1 : 0;
  return memory;
}

/** The layout of a table's entries, read from its header. */
export function layoutIn(words: Int32Array): EntryLayout {
  return layoutOf({
    bits: words[HEADER.BITS]!,
    keyWords: words[HEADER.KEY_WORDS]!,
    sums: words[HEADER.SUMS]!,
    variables: words[HEADER.VARIABLES]!,
    texts: words[HEADER.TEXTS]!,
    hasComm: words[HEADER.HAS_COMM] === 1,
  });
}

/**
 * Empties a table. A thread that is in the middle of an update may still add to an entry that it found before: its hit is then
 * counted for the next key that gets the entry. To avoid that, pause the trigger first.
 */
export function clearMap(memory: SharedArrayBuffer): void {
  const words = new Int32Array(memory);
  const entries = HEADER_WORDS + slotWords(words[HEADER.BITS]!);
  words.fill(0, HEADER_WORDS, entries);
  words.fill(0, entries, Math.min(words.length, entries + words[HEADER.NEXT]! * words[HEADER.ENTRY_WORDS]!));
  words.fill(0, HEADER.SNAPSHOT_LOCK, HEADER_WORDS);
  AtomicsStore(words, HEADER.DROPS, 0);
  AtomicsStore(words, HEADER.DROPS + 1, 0);
  AtomicsStore(words, HEADER.NEXT, 0);
}

/** An entry of a table, read from it. */
export interface MapEntry {
  /** The bytes of its key. */
  readonly key: Uint8Array;
  readonly sum: (index: number) => bigint;
  readonly variable: (index: number) => Long;
  readonly isSet: (index: number) => boolean;
  readonly text: (index: number) => string;
  readonly comm: string;
}

/** A 64-bit sum that threads add to: the high word is read twice, because a carry comes after the sum. */
function readSum(words: Int32Array, at: number): bigint {
  for (;;) {
    const high = AtomicsLoad(words, at + 1);
    const low = AtomicsLoad(words, at);
    if (AtomicsLoad(words, at + 1) === high) return (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0);
  }
}

/** A table as its reader sees it. */
export interface MapView {
  readonly entries: readonly MapEntry[];
  readonly drops: bigint;
  /** What snapshot() noted, if anything. */
  readonly snapshot: { readonly value: Long; readonly key: Uint8Array; readonly comm: string } | undefined;
}

/** Reads a table, while threads add to it. Entries are in the order of their slots. */
export function readMap(memory: SharedArrayBuffer): MapView {
  const words = new Int32Array(memory);
  const bytes = new Uint8Array(memory);
  const doubles = new Float64Array(memory);
  const layout = layoutIn(words);
  const { keyWords, sumsAt, variablesAt, statesAt, commAt, textsAt, hasComm } = layout;
  const keyAt = (at: number): Uint8Array => bytes.slice(at * 4, (at + keyWords) * 4);
  const longAt = (at: number, state: number): Long => {
    if (state === STATE.NUMBER) return doubles[at >> 1]!;
    return state === STATE.WORDS ? ofWords(words[at + 1]!, words[at]!) : 0;
  };
  const entries: MapEntry[] = [];
  const end = HEADER_WORDS + slotWords(layout.bits);
  for (let slot = HEADER_WORDS; slot < end; slot += 2) {
    const at = AtomicsLoad(words, slot + 1);
    if (at === 0) continue;
    entries.push({
      key: keyAt(at),
      sum: (index) => readSum(words, at + sumsAt + 2 * index),
      variable: (index) => longAt(at + variablesAt + 2 * index, words[at + statesAt + index]!),
      isSet: (index) => words[at + statesAt + index] !== STATE.UNSET,
      text: (index) => textOf(bytes, (at + textsAt + TEXT_WORDS * index) * 4, TEXT_WORDS * 4),
      comm: hasComm ? textOf(bytes, (at + commAt) * 4, COMM_BYTES) : '',
    });
  }
  const isSet = AtomicsLoad(words, HEADER.SNAPSHOT_SET) === 1;
  return {
    entries,
    drops: readSum(words, HEADER.DROPS),
    snapshot: isSet
      ? {
          value: longAt(HEADER.SNAPSHOT_VALUE, STATE.NUMBER),
          key: keyAt(HEADER.SNAPSHOT_KEY),
          comm: textOf(bytes, HEADER.SNAPSHOT_COMM * 4, COMM_BYTES),
        }
      : undefined,
  };
}
