import { FIELD, type HistData, type HistField, has, type SortKey } from './hist-data.js';
import { textOf } from './map-text.js';
import { type Compare, heapSort, sortWithin } from './sort-entries.js';
import type { MapEntry } from './tracing-map.js';

/** A part of a key as an unsigned 64-bit number. */
export function keyNumber({ key }: MapEntry, offset: number): bigint {
  return new DataView(key.buffer, key.byteOffset).getBigUint64(offset, true);
}

/** A part of a key as a text. */
export const keyText = ({ key }: MapEntry, { offset, size }: HistField): string => textOf(key, offset, size);

const order = (a: bigint, b: bigint): number => (a > b ? 1 : a < b ? -1 : 0);

/** memcmp of two keys. */
function compareBytes({ key: a }: MapEntry, { key: b }: MapEntry): number {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return a[i]! - b[i]!;
  return 0;
}

/** strcmp of a part of two keys. */
function compareTexts(a: MapEntry, b: MapEntry, { offset, size }: HistField): number {
  for (let i = offset; i < offset + size; i++) {
    if (a.key[i] !== b.key[i]) return a.key[i]! - b.key[i]!;
    if (a.key[i] === 0) return 0;
  }
  return 0;
}

/** How a sort compares a key: as its field's type says (create_tracing_map_fields). */
function keyCompare(field: HistField): Compare<MapEntry> {
  if (has(field, FIELD.STACKTRACE)) return () => 0;
  const isNumber = field.field === undefined || has(field, FIELD.CPU) || field.field.text === undefined;
  if (!isNumber) return (a, b) => compareTexts(a, b, field);
  const { size, isSigned } = field.field ?? field;
  const as = isSigned ? BigInt.asIntN : BigInt.asUintN;
  const value = (entry: MapEntry): bigint => as(size * 8, keyNumber(entry, field.offset));
  return (a, b) => order(value(a), value(b));
}

function compareOf({ values, keys }: HistData, { index, descending }: SortKey): Compare<MapEntry> {
  const sums = values.filter((field) => !has(field, FIELD.VAR)).length;
  const compare: Compare<MapEntry> = index < sums ? (a, b) => order(a.sum(index), b.sum(index)) : keyCompare(keys[index - sums]!);
  return descending ? (a, b) => -compare(a, b) : compare;
}

/** The entries in the order of a `hist` file (tracing_map_sort_entries). */
export function sortedEntries(data: HistData, entries: readonly MapEntry[]): MapEntry[] {
  // Threads go on adding while this sorts, and an order that changes is none.
  const frozen = entries.map((entry): MapEntry => {
    const sums = new Map<number, bigint>();
    const sum = (index: number): bigint => {
      const known = sums.get(index) ?? entry.sum(index);
      sums.set(index, known);
      return known;
    };
    return { ...entry, sum };
  });
  heapSort(frozen, compareBytes);
  const [primary, secondary] = data.sortKeys.map((key) => compareOf(data, key));
  heapSort(frozen, primary!);
  if (secondary !== undefined) sortWithin(frozen, primary!, secondary);
  return frozen;
}
