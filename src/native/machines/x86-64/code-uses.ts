import { lastAtOrBefore } from '../../../base/last-at-or-before.js';
import type { ElfFile } from '../../elf/elf-file.js';
import { codePointers } from '../../text/code-pointers.js';
import type { CodeRange } from '../../text/object-functions.js';
import { USE } from '../../text/start-places.js';
import { Decoder } from './decode.js';

/** Told of each place of code that something uses: its address, the bits of USE, and the code that does it, if code does. */
export type UseFound = (address: number, use: number, by?: CodeRange) => void;

/** lea, and the constants that may be addresses in an object at a fixed place: push, mov to a register, mov. */
const LEA = 0x8d;
const isConstant = (opcode: number): boolean => opcode === 0x68 || opcode === 0xc7 || (opcode & 0xf8) === 0xb8;
const INDIRECT = 0xff;
/** A table of distances is read as long as they lead to code; no table is longer. */
const LONGEST_TABLE = 4096;

/**
 * Tells all that is used of an object's code: by jumps and calls, by addresses that instructions make, by tables and pointers in
 * its data.
 */
export function codeUses(elf: ElfFile, ranges: readonly CodeRange[], found: UseFound): void {
  if (ranges.length === 0) return;
  const finder = new UseFinder(elf, ranges, found);
  for (const range of ranges) finder.find(range);
  codePointers(elf, { start: ranges[0]!.start, end: ranges.at(-1)!.end }, (address) => found(address, USE.pointed));
}

class UseFinder {
  readonly #elf: ElfFile;
  readonly #starts: Float64Array;
  readonly #found: UseFound;
  readonly #decoder = new Decoder();
  readonly #isFixed: boolean;

  constructor(elf: ElfFile, ranges: readonly CodeRange[], found: UseFound) {
    this.#elf = elf;
    this.#starts = Float64Array.from(ranges, ({ start }) => start);
    this.#found = found;
    this.#isFixed = elf.type === 'executable';
  }

  find(range: CodeRange): void {
    const code = this.#elf.at(range.start, range.end - range.start);
    if (code === undefined) return;
    const decoder = this.#decoder;
    const made: number[] = [];
    const parts = new Set([range.start]);
    let jumpsToRegister = false;
    let at = 0;
    for (; at < code.length && decoder.read(code, at); at += decoder.length) {
      if (decoder.branchSize > 0) this.#branch(code, at, range, parts);
      else if (decoder.ripAt > 0) this.#operand(code, at, range, made);
      else if (this.#isFixed && decoder.map === 0 && isConstant(decoder.opcode)) this.#constant(code, at, range);
      else if (decoder.map === 0 && decoder.opcode === INDIRECT && decoder.flow === 'jump' && decoder.modrm >> 6 === 3) {
        jumpsToRegister = true;
      }
    }
    if (at < code.length) this.#unknown(code, at, range);
    if (jumpsToRegister) this.#tables(made, range, parts);
  }

  #branch(code: Buffer, at: number, range: CodeRange, parts: Set<number>): void {
    const target = this.#decoder.target(code, at)!;
    const isCall = this.#decoder.flow === 'call';
    if (!isCall && (target < 0 || target >= code.length)) parts.add(this.#startOf(range.start + target));
    this.#found(range.start + target, USE.jumped, isCall ? undefined : range);
  }

  /** Where the function, or the part of one, begins in which an address is. */
  #startOf(address: number): number {
    return this.#starts[lastAtOrBefore(this.#starts, address)] ?? 0;
  }

  #operand(code: Buffer, at: number, range: CodeRange, made: number[]): void {
    const { length, ripAt, map, opcode } = this.#decoder;
    const own = range.start + at;
    const address = own + length + code.readInt32LE(at + ripAt);
    const isMade = map === 0 && opcode === LEA;
    if (isMade) made.push(address);
    // An address that an instruction makes of itself is where distances count from (-mcmodel=large): nothing jumps there.
    if (!isMade) this.#found(address, USE.data);
    else if (address !== own) this.#found(address, USE.pointed);
  }

  #constant(code: Buffer, at: number, range: CodeRange): void {
    const { length, opcode } = this.#decoder;
    // Of 64 bits, the upper ones of an address in a fixed object are 0.
    const isWide = (opcode & 0xf8) === 0xb8 && length >= 9;
    if (length < 5) return;
    const address = code.readUInt32LE(at + length - (isWide ? 8 : 4));
    if (address !== range.start + at) this.#found(address, USE.pointed);
  }

  /** What cannot be read as instructions: any bytes there that would be a jump are taken for one. */
  #unknown(code: Buffer, from: number, range: CodeRange): void {
    for (let at = from; at < code.length; at++) {
      const byte = code[at]!;
      const isNear = byte === 0xeb || (byte & 0xf0) === 0x70 || (byte & 0xfc) === 0xe0;
      const isFar = byte === 0xe9 || (byte === 0x0f && (code[at + 1]! & 0xf0) === 0x80);
      const size = isNear ? 1 : isFar ? 4 : 0;
      const distanceAt = at + (byte === 0x0f ? 2 : 1);
      if (size === 0 || distanceAt + size > code.length) continue;
      this.#found(range.start + distanceAt + size + code.readIntLE(distanceAt, size), USE.jumped, range);
    }
  }

  /**
   * The tables of a function that jumps to what it computes: distances of 32 bits from the table, or from a place of the
   * function.
   * @param parts where it begins, and the parts that it jumps to
   */
  #tables(made: readonly number[], { start, end }: CodeRange, parts: ReadonlySet<number>): void {
    const isOwn = (address: number): boolean => address >= start && address < end;
    const bases = made.filter(isOwn);
    for (const table of new Set(made.filter((address) => !isOwn(address)))) {
      const bytes = this.#elf.at(table, LONGEST_TABLE * 4);
      if (bytes !== undefined) for (const base of new Set([table, ...bases])) this.#table(bytes, base, parts);
    }
  }

  #table(bytes: Buffer, base: number, parts: ReadonlySet<number>): void {
    for (let at = 0; at + 4 <= bytes.length; at += 4) {
      const address = base + bytes.readInt32LE(at);
      if (!parts.has(this.#startOf(address))) return;
      this.#found(address, USE.pointed);
    }
  }
}
