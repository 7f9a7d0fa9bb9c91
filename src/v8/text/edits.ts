import { Bits, Code, Longest, Piece } from './edit-form.js';
import { pieceArguments, TEXT_FORMAT } from './pieces.js';

/**
 * What to insert into one source, in the order of the source: everything that the program's thread needs to make
 * the instrumented text, and nothing else. `bytes` is at once the form in memory, where it stays as long as the text, and the
 * form on disk: varints, which are read and written all at once. V8 meets this code in a program's first start, and compiles it:
 * steps with a loop in each took three times as long to compile.
 *
 * An edit is: varint (units since the edit before) * 8 + (code of a frequent piece) * 2 + (line has changed); when it has, varint
 * column (0-based) * 4 + (lines since the edit before, less 1, at most 3), and at 3 varint what that leaves; then the piece's
 * number, if it has no code, and its arguments. An entry's arguments are its function and its flags with the count of the names
 * that it passes; those of a statement its function, its flags, its number and the names; those of a catch's beginning its form
 * and the name of its parameter, if that is one. Those of a place are units and lines before the edit (each a varint of 2n, or of
 * -2n-1 if it is behind), and its varint column (0-based).
 *
 * A function is varint 2n or -2n-1, n from the function named before to this one. Names are listed from the last to the first,
 * each by varint (units from its end to the one after it, or to the edit, as 2n or -2n-1) * 16 + (its length, at most 15), and at
 * 15 varint what that leaves.
 */
export interface Edits {
  /** The number of functions in the source, including those without a site: the text uses as many numbers. */
  readonly functions: number;
  readonly bytes: Uint8Array;
}

export const ENTRY_THIS = 1;
export const ENTRY_VALUE = 2;
export const ENTRY_UNSET = 4;
export const ENTRY_ARROW = 8;
export const ENTRY_GUARD = 16;
export const ENTRY_GENERATOR = 32;

/** The pieces that have codes, which are their indexes here. */
const FREQUENT = [-1, Piece.Entry, Piece.Value, Piece.ExitValue] as const;
const codeOf = (piece: number): Code =>
  piece === Piece.Entry
    ? Code.Entry
    : piece === Piece.Value
      ? Code.Value
      : piece === Piece.ExitValue
        ? Code.ExitValue
        : Code.Other;

/** An entry's word: the flags that fit, whether others follow, and from NAMES_BITS on the count of names. */
const FLAG_BITS = Bits.Flags;
const HAS_MORE_FLAGS = 1 << FLAG_BITS;
const NAMES_BITS = FLAG_BITS + 1;
const MOST_LINES = (1 << Bits.Lines) - 1;
const LENGTH_BITS = Bits.NameLength;
const MOST_LENGTH = (1 << LENGTH_BITS) - 1;
const MOST = 0xffff_ffff;

const HEADER_BYTES = 8;
/** Numbers for which a writer has room at first. */
const FIRST_NUMBERS = 256;
const MAGIC = 0xfe;

/** The stored form of `edits`: a header of 8 bytes (magic, TEXT_FORMAT, two zeros, u32 functions), then the edits. */
export function serializeEdits(edits: Edits): Uint8Array {
  const out = new Uint8Array(HEADER_BYTES + edits.bytes.length);
  out[0] = MAGIC;
  out[1] = TEXT_FORMAT;
  new DataView(out.buffer).setUint32(4, edits.functions, true);
  out.set(edits.bytes, HEADER_BYTES);
  return out;
}

/** Reads what `serializeEdits` made, without a copy; undefined when `stored` is not of this TEXT_FORMAT. */
export function deserializeEdits(stored: Uint8Array): Edits | undefined {
  if (stored.length < HEADER_BYTES || stored[0] !== MAGIC || stored[1] !== TEXT_FORMAT) return undefined;
  const functions = new DataView(stored.buffer, stored.byteOffset).getUint32(4, true);
  return { functions, bytes: stored.subarray(HEADER_BYTES) };
}

/** Where a name stands in the source. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/** A number that can be negative as one that cannot. */
const folded = (value: number): number => (value < 0 ? -2 * value - 1 : 2 * value);

const unfolded = (stored: number): number => (stored & 1 ? -(stored + 1) / 2 : stored / 2);

function encode(numbers: Uint32Array): Uint8Array {
  const bytes = new Uint8Array(numbers.length * Longest.Bytes);
  let length = 0;
  for (let i = 0; i < numbers.length; i++) {
    let rest = numbers[i] as number;
    while (rest > 127) {
      bytes[length++] = (rest & 127) | 128;
      rest >>>= 7;
    }
    bytes[length++] = rest;
  }
  return bytes.slice(0, length);
}

function decode(bytes: Uint8Array): Uint32Array {
  const numbers = new Uint32Array(bytes.length);
  let count = 0;
  let value = 0;
  let shift = 0;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] as number;
    value |= (byte & 127) << shift;
    if (byte > 127) shift += 7;
    else {
      numbers[count++] = value;
      value = 0;
      shift = 0;
    }
  }
  return numbers.subarray(0, count);
}

/** Appends edits, in the order of the source. */
export class EditWriter {
  #numbers = new Uint32Array(FIRST_NUMBERS);
  #count = 0;
  #offset = 0;
  #line = 0;
  #functionIndex = 0;

  /** `line` counts from 0, `column` in UTF-16 units from 0. */
  at(offset: number, line: number, column: number, piece: number): void {
    const moved = line - this.#line;
    const code = codeOf(piece);
    this.number((offset - this.#offset) * 8 + code * 2 + (moved > 0 ? 1 : 0));
    if (moved > 0) {
      const lines = Math.min(moved - 1, MOST_LINES);
      this.number(column * 4 + lines);
      if (lines === MOST_LINES) this.number(moved - 1 - MOST_LINES);
    }
    if (code === 0) this.number(piece);
    this.#offset = offset;
    this.#line = line;
  }

  /** The arguments of an entry. `names` stand in the order of the source. */
  entry(functionIndex: number, flags: number, names: readonly Span[]): void {
    this.#function(functionIndex);
    const more = flags >>> FLAG_BITS;
    this.number(names.length * (1 << NAMES_BITS) + (flags & (HAS_MORE_FLAGS - 1)) + (more > 0 ? HAS_MORE_FLAGS : 0));
    if (more > 0) this.number(more);
    this.#names(names);
  }

  /** The arguments of a statement. @param number its number in its function */
  statement(functionIndex: number, flags: number, number: number, names: readonly Span[]): void {
    this.#function(functionIndex);
    this.number(flags);
    this.number(number);
    this.number(names.length);
    this.#names(names);
  }

  /** The arguments of a catch. */
  caught(form: number, names: readonly Span[]): void {
    this.number(form);
    this.number(names.length);
    this.#names(names);
  }

  /** One argument of the edit begun last. */
  number(value: number): void {
    // A text of hundreds of megabytes has no sites.
    if (value > MOST) throw new RangeError(`${value} does not fit into an edit`);
    if (this.#count === this.#numbers.length) this.#grow();
    this.#numbers[this.#count++] = value;
  }

  /** One argument that can be negative. */
  signed(value: number): void {
    this.number(folded(value));
  }

  #function(index: number): void {
    this.signed(index - this.#functionIndex);
    this.#functionIndex = index;
  }

  #names(names: readonly Span[]): void {
    let behind = this.#offset;
    for (let i = names.length - 1; i >= 0; i--) {
      const { start, end } = names[i] as Span;
      const length = Math.min(end - start, MOST_LENGTH);
      this.number(folded(behind - end) * (1 << LENGTH_BITS) + length);
      if (length === MOST_LENGTH) this.number(end - start - MOST_LENGTH);
      behind = start;
    }
  }

  finish(functions: number): Edits {
    return { functions, bytes: encode(this.#numbers.subarray(0, this.#count)) };
  }

  #grow(): void {
    const longer = new Uint32Array(2 * this.#numbers.length);
    longer.set(this.#numbers);
    this.#numbers = longer;
  }
}

/** Steps through edits; the fields describe the edit that `next` has found. */
export class EditReader {
  piece = 0;
  offset = 0;
  line = 0;
  column = 0;
  /** The index of the function of an entry or a statement in the table. */
  functionIndex = 0;
  /** Flags of an entry or a statement. Of a place: its offset. Of a catch: its form. Of other pieces: K. */
  first = 0;
  /** A statement's number in its function. Of a place: its line, from 0. Of other pieces: J. */
  second = 0;
  /** A place's column, from 0. */
  third = 0;
  /** Start and end in the source of each name that an entry or a statement passes; `names` says how many. */
  readonly spans: number[] = [];
  names = 0;
  #at = 0;
  readonly #arguments = pieceArguments();
  readonly #numbers: Uint32Array;

  constructor(edits: Edits) {
    this.#numbers = decode(edits.bytes);
  }

  /** Moves to the next edit; false at the end. */
  next(): boolean {
    if (this.#at >= this.#numbers.length) return false;
    const head = this.#number();
    const step = head >>> 3;
    this.offset += step;
    if (head & 1) {
      const place = this.#number();
      const lines = place & MOST_LINES;
      this.line += lines === MOST_LINES ? lines + 1 + this.#number() : lines + 1;
      this.column = place >>> 2;
    } else {
      this.column += step;
    }
    const code = (head >>> 1) & 3;
    this.piece = code === 0 ? this.#number() : (FREQUENT[code] as number);
    if (this.piece === Piece.Entry) this.#readEntry();
    else if (this.piece === Piece.Statement) this.#readStatement();
    else if (this.piece === Piece.Place) this.#readPlace();
    else if (this.piece === Piece.Caught) this.#readCaught();
    else {
      const count = this.#arguments[this.piece] as number;
      if (count > 0) this.first = this.#number();
      if (count > 1) this.second = this.#number();
    }
    return true;
  }

  #readEntry(): void {
    this.functionIndex += this.#signed();
    const word = this.#number();
    this.first = word & (HAS_MORE_FLAGS - 1);
    if (word & HAS_MORE_FLAGS) this.first += this.#number() << FLAG_BITS;
    this.#readNames(word >>> NAMES_BITS);
  }

  #readStatement(): void {
    this.functionIndex += this.#signed();
    this.first = this.#number();
    this.second = this.#number();
    this.#readNames(this.#number());
  }

  #readCaught(): void {
    this.first = this.#number();
    this.#readNames(this.#number());
  }

  #readPlace(): void {
    this.first = this.offset - this.#signed();
    this.second = this.line - this.#signed();
    this.third = this.#number();
  }

  #readNames(count: number): void {
    this.names = count;
    let behind = this.offset;
    for (let i = count - 1; i >= 0; i--) {
      const word = this.#number();
      const length = word & MOST_LENGTH;
      const end = behind - unfolded(word >>> LENGTH_BITS);
      behind = end - (length === MOST_LENGTH ? length + this.#number() : length);
      this.spans[i * 2] = behind;
      this.spans[i * 2 + 1] = end;
    }
  }

  #signed(): number {
    return unfolded(this.#number());
  }

  #number(): number {
    return this.#numbers[this.#at++] as number;
  }
}
