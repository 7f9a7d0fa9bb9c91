import { PbfWriter } from 'pbf';
import type { ReportSink } from '../../output/trace-dat/index.js';

const VARINT = 0;
const FIXED64 = 1;
const BYTES = 2;
/** Bytes that are collected before they go to the sink. */
const PIECE = 1 << 18;
/** Room for the fields of a message besides its texts. */
const ROOM = 1 << 12;
/** From so many bytes on, copying as a whole is faster. */
const COPIED_AT_ONCE = 32;

/**
 * Protobuf messages on their way to a sink, in large pieces. A message is written between `open` and `close`, so that millions of
 * them need no function or object of their own.
 */
export class MessageWriter {
  readonly #pbf = new PbfWriter(new Uint8Array(PIECE + ROOM));
  readonly #sink: ReportSink;
  #isClosed = false;

  constructor(sink: ReportSink) {
    this.#sink = sink;
  }

  /** Whether the sink wants no more. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Begins a message that is a field of the one around it, if any. Returns what `close` needs. */
  open(field: number): number {
    const pbf = this.#pbf;
    pbf.realloc(ROOM);
    this.#tag(field, BYTES);
    pbf.pos++;
    return pbf.pos;
  }

  /** Ends the message: its length stands before it. */
  close(start: number): void {
    const pbf = this.#pbf;
    const length = pbf.pos - start;
    if (length < 0x80) {
      pbf.buf[start - 1] = length;
      return;
    }
    const more = length < 0x4000 ? 1 : length < 0x200000 ? 2 : 3;
    pbf.realloc(more);
    pbf.buf.copyWithin(start + more, start, pbf.pos);
    pbf.pos = start - 1;
    pbf.writeVarint(length);
    pbf.pos += length;
  }

  /** Closes a packet, the outermost message: a place where a piece may end. */
  closePacket(start: number): void {
    this.close(start);
    if (this.#pbf.pos >= PIECE) this.flush();
  }

  /** A whole number below 2^53; of a negative one all 64 bits. */
  number(field: number, value: number): void {
    this.#tag(field, VARINT);
    if (value < 0x80 && value >= 0) this.#pbf.buf[this.#pbf.pos++] = value;
    else this.#pbf.writeVarint(value);
  }

  double(field: number, value: number): void {
    this.#tag(field, FIXED64);
    this.#pbf.writeDouble(value);
  }

  /** A fixed64 of two words. */
  fixed(field: number, low: number, high: number): void {
    this.#tag(field, FIXED64);
    this.#pbf.writeFixed32(low >>> 0);
    this.#pbf.writeFixed32(high >>> 0);
  }

  text(field: number, value: string): void {
    this.#tag(field, BYTES);
    this.#pbf.writeString(value);
    this.#pbf.realloc(ROOM);
  }

  /** Fields that were written before, see `written`. */
  raw(bytes: Uint8Array): void {
    const pbf = this.#pbf;
    const { length } = bytes;
    pbf.realloc(length + ROOM);
    if (length > COPIED_AT_ONCE) pbf.buf.set(bytes, pbf.pos);
    else for (let i = 0; i < length; i++) pbf.buf[pbf.pos + i] = bytes[i]!;
    pbf.pos += length;
  }

  flush(): void {
    const pbf = this.#pbf;
    if (!this.#isClosed && pbf.pos > 0) this.#isClosed = !this.#sink.write(pbf.buf.subarray(0, pbf.pos));
    pbf.pos = 0;
  }

  #tag(field: number, type: number): void {
    const pbf = this.#pbf;
    if (field < 16) pbf.buf[pbf.pos++] = (field << 3) | type;
    else pbf.writeVarint((field << 3) | type);
  }
}

/** What `written` writes into: a writer takes long to make, and there are many functions. */
let scratch: MessageWriter | undefined;
let bytes = new Uint8Array(0);

/** The bytes of fields, to be written many times. */
export function written(write: (writer: MessageWriter) => void): Uint8Array {
  scratch ??= new MessageWriter({
    write(piece) {
      bytes = piece.slice();
      return true;
    },
  });
  write(scratch);
  scratch.flush();
  return bytes;
}
