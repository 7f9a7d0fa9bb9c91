import { GrowingBytes } from './growing-bytes.js';
import type { ColumnData, NumberColumn, TextColumn, WordColumn } from './table-data.js';

/** How Parquet numbers its encodings. */
export const ENCODING = { plain: 0, rle: 3, dictionary: 8 } as const;

/** A column's values as Parquet stores them, before they are compressed. */
export interface EncodedColumn {
  /** The different values, where rows have their numbers. */
  readonly dictionary: { readonly bytes: Uint8Array; readonly count: number } | undefined;
  readonly data: Uint8Array;
  readonly encoding: (typeof ENCODING)['plain' | 'dictionary'];
  readonly nulls: number;
  /** The least and the greatest number; absent: there is none, or the column has none. */
  readonly range: readonly [least: number, greatest: number] | undefined;
}

/** A dictionary of more than this part of the rows is none. */
const MOST_DIFFERENT = 0.6;
/** Different values that any column may have in a dictionary. */
const FEW = 512;
const GROUP = 8;

/** Writes numbers of so many bits as runs of one, and as packed groups of eight (Parquet's RLE/bit-packing hybrid). */
export function writeHybrid(writer: GrowingBytes, values: ArrayLike<number>, count: number, bits: number): void {
  let at = 0;
  while (at < count) {
    const value = values[at]!;
    let run = at + 1;
    while (run < count && values[run] === value) run++;
    if (run - at >= GROUP || run === count) {
      writer.varint((run - at) * 2);
      for (let bit = 0; bit < bits; bit += 8) writer.byte((value >>> bit) & 0xff);
      at = run;
      continue;
    }
    at = writePacked(writer, values, at, count, bits);
  }
}

/** Whole groups of eight, until a long run of one value begins. Returns the position behind them. */
function writePacked(writer: GrowingBytes, values: ArrayLike<number>, from: number, count: number, bits: number): number {
  let end = from;
  let same = 1;
  while (end < count) {
    end = Math.min(end + GROUP, count);
    same = 1;
    while (end + same < count && values[end + same] === values[end] && same < GROUP) same++;
    if (same >= GROUP) break;
  }
  const groups = Math.ceil((end - from) / GROUP);
  writer.varint(groups * 2 + 1);
  writer.room(groups * bits);
  const { bytes } = writer;
  let out = writer.length;
  let pending = 0;
  let held = 0;
  for (let i = from; i < from + groups * GROUP; i++) {
    const value = i < end ? values[i]! : 0;
    // At most 7 bits are held, and indexes have at most 24.
    pending |= value << held;
    held += bits;
    while (held >= 8) {
      bytes[out++] = pending & 0xff;
      pending >>>= 8;
      held -= 8;
    }
  }
  writer.length = out;
  return end;
}

const bitsFor = (count: number): number => (count <= 2 ? 1 : 32 - Math.clz32(count - 1));

/** Which rows have a value, as Parquet has it in front of them: 1 if so. Nothing for columns that always have one. */
function definitionLevels(column: NumberColumn, length: number, nulls: number): Uint8Array {
  const levels = new GrowingBytes(64);
  if (nulls === 0) {
    levels.varint(length * 2);
    levels.byte(1);
  } else {
    const { values } = column;
    const defined = new Uint8Array(length);
    for (let i = 0; i < length; i++) defined[i] = Number.isNaN(values[i]!) ? 0 : 1;
    writeHybrid(levels, defined, length, 1);
  }
  const framed = new GrowingBytes(levels.length + 4);
  framed.u32(levels.length);
  framed.put(levels.written);
  return framed.written;
}

/** Finds the numbers of values among the different ones: an open table of hashes, for a Map would make an object of each. */
class NumberDictionary {
  readonly values: Float64Array;
  count = 0;
  readonly #slots: Int32Array;
  readonly #mask: number;
  readonly #halves = new Uint32Array(2);
  readonly #double = new Float64Array(this.#halves.buffer);

  constructor(most: number) {
    this.values = new Float64Array(most);
    const size = 2 ** Math.ceil(Math.log2(Math.max(2, most * 2)));
    this.#slots = new Int32Array(size).fill(-1);
    this.#mask = size - 1;
  }

  /** The number of a value; -1 if there are too many. */
  indexOf(value: number): number {
    this.#double[0] = value;
    let slot = Math.imul(this.#halves[0]! ^ Math.imul(this.#halves[1]!, 0x9e3779b1), 0x85ebca6b);
    slot = (slot ^ (slot >>> 15)) & this.#mask;
    for (;;) {
      const index = this.#slots[slot]!;
      if (index === -1) break;
      if (this.values[index] === value) return index;
      slot = (slot + 1) & this.#mask;
    }
    if (this.count === this.values.length) return -1;
    this.#slots[slot] = this.count;
    this.values[this.count] = value;
    return this.count++;
  }
}

function indexBytes(indexes: ArrayLike<number>, count: number, different: number, levels?: Uint8Array): Uint8Array {
  const bits = bitsFor(different);
  const writer = new GrowingBytes(Math.ceil((count * bits) / 8) + 64);
  if (levels !== undefined) writer.put(levels);
  writer.byte(bits);
  writeHybrid(writer, indexes, count, bits);
  return writer.written;
}

function numberBytes(values: ArrayLike<number>, count: number, isReal: boolean, levels?: Uint8Array): Uint8Array {
  const writer = new GrowingBytes(count * 8 + (levels?.length ?? 0));
  if (levels !== undefined) writer.put(levels);
  for (let i = 0; i < count; i++) {
    if (isReal) writer.f64(values[i]!);
    else writer.i64(values[i]!);
  }
  return writer.written;
}

function encodeNumbers(data: NumberColumn, length: number): EncodedColumn {
  const isReal = data.column.type === 'real';
  const present = new Float64Array(length);
  let count = 0;
  let least = Number.POSITIVE_INFINITY;
  let greatest = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < length; i++) {
    const value = data.values[i]!;
    if (Number.isNaN(value)) continue;
    const stored = isReal ? value : Math.round(value);
    if (stored < least) least = stored;
    if (stored > greatest) greatest = stored;
    present[count++] = stored;
  }
  const nulls = length - count;
  const levels = definitionLevels(data, length, nulls);
  const range = count === 0 ? undefined : ([least, greatest] as const);
  const dictionary = new NumberDictionary(Math.max(FEW, Math.floor(count * MOST_DIFFERENT)));
  const indexes = new Uint32Array(count);
  let at = 0;
  while (at < count) {
    const index = dictionary.indexOf(present[at]!);
    if (index < 0) break;
    indexes[at++] = index;
  }
  if (at < count || count === 0)
    return { dictionary: undefined, data: numberBytes(present, count, isReal, levels), encoding: ENCODING.plain, nulls, range };
  return {
    dictionary: { bytes: numberBytes(dictionary.values, dictionary.count, isReal), count: dictionary.count },
    data: indexBytes(indexes, count, dictionary.count, levels),
    encoding: ENCODING.dictionary,
    nulls,
    range,
  };
}

function encodeFlags({ values }: NumberColumn, length: number): EncodedColumn {
  const bytes = new Uint8Array(Math.ceil(length / 8));
  for (let i = 0; i < length; i++) if (values[i] === 1) bytes[i >> 3]! |= 1 << (i & 7);
  return { dictionary: undefined, data: bytes, encoding: ENCODING.plain, nulls: 0, range: undefined };
}

function textBytes(texts: readonly string[], count: number): Uint8Array {
  const writer = new GrowingBytes(count * 32 + 64);
  for (let i = 0; i < count; i++) writer.text(texts[i]!, 'u32');
  return writer.written;
}

function encodeWords({ words, indexes }: WordColumn, length: number): EncodedColumn {
  return {
    dictionary: { bytes: textBytes(words, words.length), count: words.length },
    data: indexBytes(indexes, length, words.length),
    encoding: ENCODING.dictionary,
    nulls: 0,
    range: undefined,
  };
}

const encodeTexts = ({ texts }: TextColumn, length: number): EncodedColumn => ({
  dictionary: undefined,
  data: textBytes(texts, length),
  encoding: ENCODING.plain,
  nulls: 0,
  range: undefined,
});

/** The values of a column's first rows. */
export function encodeColumn(data: ColumnData, length: number): EncodedColumn {
  if ('words' in data) return encodeWords(data, length);
  if ('texts' in data) return encodeTexts(data, length);
  return data.column.type === 'flag' ? encodeFlags(data, length) : encodeNumbers(data, length);
}
