import { wordAt } from '../elf/elf-file.js';

/**
 * The symbols that a kernel carries in its own read-only data (scripts/kallsyms.c, kernel/kallsyms.c), which are left when the
 * linker's symbol table was stripped. Nothing says where they are; they are found by their form, which is that of Linux 6.1:
 *
 *     offsets  u32 of each symbol            relative_base  u64            num_syms  u32
 *     names    packed                        markers  u32: where in the names each 256th symbol begins
 *     seqs_of_names  3 bytes of each symbol: the order of the names (6.2, and later releases of 6.1)
 *     token_table  256 texts with a 0        token_index  u16: where in the table each text begins
 *
 * Each begins at a multiple of 8.
 */

/** A symbol of a kernel: its letter is that of nm (`T`, `t`: text). */
export interface KernelSymbol {
  readonly type: string;
  readonly name: string;
  readonly address: number;
}

const TOKENS = 256;
/** Characters that stand for themselves, because some name has them: their texts follow each other. */
const DIGITS = Buffer.from([...'0123456789'].map((digit) => `${digit}\0`).join(''), 'latin1');
const FIRST_DIGIT = 0x30;
/** Symbols between two markers. */
const MARKED = 256;
const SEQUENCE_BYTES = 3;
/** What is before the names of one symbol. */
const MIN_NAMES = 24;

const aligned = (at: number): number => Math.ceil(at / 8) * 8;

/** Where the tables are in the bytes. */
interface Tables {
  readonly texts: readonly string[];
  readonly count: number;
  readonly names: number;
  readonly offsets: number;
  readonly base: number;
}

/** The symbols in a kernel's read-only data, whose first byte is at a multiple of 8. Empty if they are not found. */
export function kallsyms(data: Buffer): KernelSymbol[] {
  const tables = findTables(data);
  if (tables === undefined) return [];
  const { texts, count, offsets, base } = tables;
  const isPerCpu = Array.from({ length: count }, (_, i) => data.readInt32LE(offsets + 4 * i)).some((offset) => offset < 0);
  const symbols: KernelSymbol[] = [];
  let at = tables.names;
  for (let i = 0; i < count; i++) {
    const [length, start] = nameAt(data, at);
    const text = Array.from(data.subarray(start, start + length), (token) => texts[token]).join('');
    at = start + length;
    // CONFIG_KALLSYMS_ABSOLUTE_PERCPU: a variable of each cpu has its address, all else its distance, below zero.
    const offset = data.readInt32LE(offsets + 4 * i);
    const address = !isPerCpu ? base + (offset >>> 0) : offset < 0 ? base - 1 - offset : offset;
    symbols.push({ type: text[0]!, name: text.slice(1), address });
  }
  return symbols;
}

/** A packed name: its tokens, and where they begin. From 128 on a length has two bytes. */
function nameAt(data: Buffer, at: number): readonly [length: number, start: number] {
  const low = data[at]!;
  return low < 128 ? [low, at + 1] : [(low & 127) | (data[at + 1]! << 7), at + 2];
}

/** How far the names of so many symbols reach. */
function skipNames(data: Buffer, from: number, count: number): number {
  let at = from;
  for (let i = 0; i < count && at < data.length; i++) {
    const [length, start] = nameAt(data, at);
    at = start + length;
  }
  return at;
}

function findTables(data: Buffer): Tables | undefined {
  for (let digits = data.indexOf(DIGITS); digits >= 0; digits = data.indexOf(DIGITS, digits + 1)) {
    const table = tokensAt(data, digits);
    const tables = table && tablesBefore(data, table.start, table.texts);
    if (tables !== undefined) return tables;
  }
  return undefined;
}

/** The texts of the tokens, if the digits at this place are among them: the index behind them must be theirs. */
function tokensAt(data: Buffer, digits: number): { readonly start: number; readonly texts: readonly string[] } | undefined {
  let second = digits;
  // Back to the second text: what is in front of the first need not be a 0.
  for (let i = 1; i < FIRST_DIGIT && second > 0; i++) second = data.lastIndexOf(0, second - 2) + 1;
  const ends: number[] = [];
  for (let at = second; ends.length < TOKENS - 1; at = ends.at(-1)! + 1) {
    const end = data.indexOf(0, at);
    if (end < 0) return undefined;
    ends.push(end);
  }
  const index = aligned(ends.at(-1)! + 1);
  if (index + 2 * TOKENS > data.length) return undefined;
  const start = second - data.readUInt16LE(index + 2);
  const starts = [start, second, ...ends.slice(0, -1).map((end) => end + 1)];
  if (start < 0 || starts.some((at, i) => data.readUInt16LE(index + 2 * i) !== at - start)) return undefined;
  const texts = [second - 1, ...ends].map((end, i) => data.toString('latin1', starts[i], end));
  return texts[0]!.includes('\0') ? undefined : { start, texts };
}

/** The tables before that of the tokens. They begin with a count of symbols, of which the names and markers behind it must be. */
function tablesBefore(data: Buffer, end: number, texts: readonly string[]): Tables | undefined {
  for (let names = Math.floor(end / 8) * 8; names >= MIN_NAMES; names -= 8) {
    const count = data.readUInt32LE(names - 8);
    const base = wordAt(data, names - 16);
    // The base is an address of the kernel: in the upper half.
    if (count === 0 || data.readUInt32LE(names - 4) !== 0 || base >= 0 || names + count * 2 > end) continue;
    const offsets = names - 16 - aligned(4 * count);
    const markers = aligned(skipNames(data, names, count));
    const behind = markers + aligned(4 * Math.ceil(count / MARKED));
    const isLast = behind === end || behind + aligned(SEQUENCE_BYTES * count) === end;
    if (offsets < 0 || !isLast || data.readUInt32LE(markers) !== 0) continue;
    if (count > MARKED && data.readUInt32LE(markers + 4) !== skipNames(data, names, MARKED) - names) continue;
    return { texts, count, names, offsets, base };
  }
  return undefined;
}
