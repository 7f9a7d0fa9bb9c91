import { CAUGHT, ENTRY, PLACE, pieceArguments, STATEMENT, TEXT_FORMAT } from './pieces.js';

/**
 * What to insert into one source, in the order of the source: everything that the program's thread needs to make
 * the instrumented text, and nothing else. `bytes` is at once the form in memory and the form on disk.
 *
 * An edit is: varint (units since the edit before) * 2 + (line has changed); when it has, varint lines since the edit
 * before and varint column (0-based); then the piece's number and its arguments. An entry's arguments are its
 * function's index, its flags and the places of its parameters' names in the source: count, then varint (units before
 * the edit), varint length. Those of a statement are its function's index, its flags, its number and such names. Those of a
 * catch's beginning are its form and the name of its parameter, if that is one. Those of a place are units and lines before the
 * edit (each a varint of 2n, or of -2n-1 if it is behind), and its varint column (0-based).
 */
export interface Edits {
  /** The number of functions in the source, including those without a site: the text uses as many numbers. */
  readonly functions: number;
  readonly bytes: Uint8Array;
}

export const ENTRY_THIS = 1;
export const ENTRY_VALUE = 2;
export const ENTRY_ARROW = 4;
export const ENTRY_GUARD = 8;
export const ENTRY_GENERATOR = 16;
export const ENTRY_UNSET = 32;

const HEADER_BYTES = 8;
/** Bytes that a writer begins with. */
const FIRST_BYTES = 256;
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

/** Appends edits, in the order of the source. */
export class EditWriter {
  #bytes = new Uint8Array(FIRST_BYTES);
  #length = 0;
  #offset = 0;
  #line = 0;

  /** `line` counts from 0, `column` in UTF-16 units from 0. */
  at(offset: number, line: number, column: number, piece: number): void {
    const moved = line - this.#line;
    this.number((offset - this.#offset) * 2 + (moved > 0 ? 1 : 0));
    if (moved > 0) {
      this.number(moved);
      this.number(column);
    }
    this.#byte(piece);
    this.#offset = offset;
    this.#line = line;
  }

  /** One argument of the edit begun last. */
  number(value: number): void {
    let rest = value;
    while (rest > 127) {
      this.#byte((rest & 127) | 128);
      rest >>>= 7;
    }
    this.#byte(rest);
  }

  /** One argument that can be negative. */
  signed(value: number): void {
    this.number(value < 0 ? -2 * value - 1 : 2 * value);
  }

  finish(functions: number): Edits {
    return { functions, bytes: this.#bytes.slice(0, this.#length) };
  }

  #byte(byte: number): void {
    if (this.#length === this.#bytes.length) {
      const longer = new Uint8Array(2 * this.#length);
      longer.set(this.#bytes);
      this.#bytes = longer;
    }
    this.#bytes[this.#length++] = byte;
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
  readonly #bytes: Uint8Array;

  constructor(edits: Edits) {
    this.#bytes = edits.bytes;
  }

  /** Moves to the next edit; false at the end. */
  next(): boolean {
    if (this.#at >= this.#bytes.length) return false;
    const step = this.#number();
    this.offset += step >>> 1;
    if (step & 1) {
      this.line += this.#number();
      this.column = this.#number();
    } else {
      this.column += step >>> 1;
    }
    this.piece = this.#bytes[this.#at++] as number;
    if (this.piece === ENTRY) this.#readEntry();
    else if (this.piece === STATEMENT) this.#readStatement();
    else if (this.piece === PLACE) this.#readPlace();
    else if (this.piece === CAUGHT) this.#readCaught();
    else {
      const count = this.#arguments[this.piece] as number;
      if (count > 0) this.first = this.#number();
      if (count > 1) this.second = this.#number();
    }
    return true;
  }

  #readEntry(): void {
    this.functionIndex = this.#number();
    this.first = this.#number();
    this.#readNames();
  }

  #readStatement(): void {
    this.functionIndex = this.#number();
    this.first = this.#number();
    this.second = this.#number();
    this.#readNames();
  }

  #readCaught(): void {
    this.first = this.#number();
    this.#readNames();
  }

  #readPlace(): void {
    this.first = this.offset - this.#signed();
    this.second = this.line - this.#signed();
    this.third = this.#number();
  }

  #readNames(): void {
    this.names = this.#number();
    for (let i = 0; i < this.names; i++) {
      const start = this.offset - this.#number();
      this.spans[i * 2] = start;
      this.spans[i * 2 + 1] = start + this.#number();
    }
  }

  #signed(): number {
    const stored = this.#number();
    return stored & 1 ? -(stored + 1) / 2 : stored / 2;
  }

  #number(): number {
    const bytes = this.#bytes;
    let byte = bytes[this.#at++] as number;
    if (byte < 128) return byte;
    let value = byte & 127;
    for (let shift = 7; byte > 127; shift += 7) {
      byte = bytes[this.#at++] as number;
      value |= (byte & 127) << shift;
    }
    return value;
  }
}
