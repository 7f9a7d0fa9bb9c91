import type { DwarfReader } from './dwarf-reader.js';

/** A range of a list, by the addresses of the object's file, and what a list of locations says of it. */
export interface ListedRange {
  readonly from: number;
  readonly to: number;
  readonly expression?: Buffer;
}

/** What a list needs of its unit. */
export interface ListUnit {
  readonly version: number;
  /** To which offsets in a list are added at first. */
  readonly base: number;
  /** The address of an index (.debug_addr). */
  addressOf(index: number): number;
}

/** An entry: the range, or the base from here on; undefined: the list is over. */
type ListEntry = { readonly from: number; readonly to: number } | { readonly base: number } | undefined;
type ReadEntry = (reader: DwarfReader, unit: ListUnit, base: number) => ListEntry;

const length = (from: number, bytes: number): ListEntry => ({ from, to: from + bytes });
const END: ReadEntry = () => undefined;
const BASE_INDEX: ReadEntry = (reader, unit) => ({ base: unit.addressOf(reader.uleb()) });
const INDICES: ReadEntry = (reader, unit) => ({ from: unit.addressOf(reader.uleb()), to: unit.addressOf(reader.uleb()) });
const INDEX_LENGTH: ReadEntry = (reader, unit) => length(unit.addressOf(reader.uleb()), reader.uleb());
const OFFSETS: ReadEntry = (reader, _unit, base) => ({ from: base + reader.uleb(), to: base + reader.uleb() });
const EVERYWHERE: ReadEntry = () => ({ from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY });
const BASE: ReadEntry = (reader) => ({ base: reader.u64() });
const ADDRESSES: ReadEntry = (reader) => ({ from: reader.u64(), to: reader.u64() });
const ADDRESS_LENGTH: ReadEntry = (reader) => length(reader.u64(), reader.uleb());

/** DW_RLE and DW_LLE, in the order of their numbers (DWARF 5, sections 7.25 and 7.7.3). */
const RANGES = [END, BASE_INDEX, INDICES, INDEX_LENGTH, OFFSETS, BASE, ADDRESSES, ADDRESS_LENGTH];
const LOCATIONS = [END, BASE_INDEX, INDICES, INDEX_LENGTH, OFFSETS, EVERYWHERE, BASE, ADDRESSES, ADDRESS_LENGTH];

/** Before DWARF 5 an entry is two addresses: both 0 end the list, and a first one of all ones says that the other is the base. */
const PAIR: ReadEntry = (reader, _unit, base) => {
  const [from, to] = [reader.u64(), reader.u64()];
  if (from === 0 && to === 0) return undefined;
  return from === -1 ? { base: to } : { from: base + from, to: base + to };
};

function readList(reader: DwarfReader, unit: ListUnit, entries: readonly ReadEntry[], hasExpressions: boolean): ListedRange[] {
  const found: ListedRange[] = [];
  let { base } = unit;
  for (;;) {
    const read = unit.version < 5 ? PAIR : entries[reader.u8()];
    if (read === undefined) throw new RangeError('a list with an entry of no known kind');
    const entry = read(reader, unit, base);
    if (entry === undefined) return found;
    if ('base' in entry) {
      base = entry.base;
      continue;
    }
    if (!hasExpressions) {
      found.push(entry);
      continue;
    }
    const bytes = unit.version < 5 ? reader.u16() : reader.uleb();
    const at = reader.skip(bytes);
    found.push({ ...entry, expression: reader.bytes.subarray(at, at + bytes) });
  }
}

/** The ranges of a list. @throws RangeError */
export const readRanges = (reader: DwarfReader, unit: ListUnit): readonly ListedRange[] => readList(reader, unit, RANGES, false);

/** The ranges of a list of locations. @throws RangeError */
export const readLocations = (reader: DwarfReader, unit: ListUnit): readonly ListedRange[] =>
  readList(reader, unit, LOCATIONS, true);
