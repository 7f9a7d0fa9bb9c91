/**
 * The form of the messages of a file session on a stream: the lengths of header and body (two little-endian 32-bit words), the
 * header as JSON, the body's bytes.
 */

/** A message: a request or an answer, and its bytes. */
export interface SessionFrame {
  readonly header: Readonly<Record<string, unknown>>;
  readonly body: Uint8Array;
}

const LENGTHS = 8;
const MAX_HEADER_BYTES = 1 << 20;
/** The largest write: 10,000 long names fit many times. */
export const MAX_BODY_BYTES = 8 << 20;
const NONE = new Uint8Array(0);

/** The bytes of one message, in one or two pieces. */
export function encodeFrame(header: object, body: Uint8Array = NONE): readonly Uint8Array[] {
  const text = JSON.stringify(header);
  const length = Buffer.byteLength(text);
  const head = Buffer.allocUnsafe(LENGTHS + length);
  head.writeUInt32LE(length, 0);
  head.writeUInt32LE(body.length, 4);
  head.write(text, LENGTHS);
  return body.length === 0 ? [head] : [head, body];
}

/** Puts messages together from the pieces of a stream. */
export class FrameReader {
  #pieces: Uint8Array[] = [];
  #length = 0;
  /** How many bytes the next message needs before it can be read. */
  #needed = LENGTHS;

  /**
   * Adds a piece of the stream.
   * @returns the messages that it completes
   * @throws Error if the stream does not consist of messages, or a message is too long: the rest of the stream cannot be read
   */
  push(piece: Uint8Array): SessionFrame[] {
    this.#pieces.push(piece);
    this.#length += piece.length;
    const frames: SessionFrame[] = [];
    while (this.#length >= this.#needed) {
      const bytes = this.#joined();
      const header = bytes.readUInt32LE(0);
      const body = bytes.readUInt32LE(4);
      if (header > MAX_HEADER_BYTES || body > MAX_BODY_BYTES) throw new Error(`a message of ${header} + ${body} bytes`);
      this.#needed = LENGTHS + header + body;
      if (bytes.length < this.#needed) break;
      frames.push({
        header: parseHeader(bytes.toString('utf8', LENGTHS, LENGTHS + header)),
        body: bytes.subarray(LENGTHS + header, this.#needed),
      });
      this.#keep(bytes.subarray(this.#needed));
    }
    return frames;
  }

  #joined(): Buffer {
    const [first] = this.#pieces;
    const bytes =
      this.#pieces.length === 1 && first !== undefined
        ? Buffer.from(first.buffer, first.byteOffset, first.byteLength)
        : Buffer.concat(this.#pieces);
    this.#pieces = [bytes];
    return bytes;
  }

  #keep(rest: Uint8Array): void {
    this.#pieces = rest.length === 0 ? [] : [rest];
    this.#length = rest.length;
    this.#needed = LENGTHS;
  }
}

function parseHeader(text: string): SessionFrame['header'] {
  const header: unknown = JSON.parse(text);
  if (typeof header !== 'object' || header === null || Array.isArray(header)) throw new Error('a header that is not an object');
  return header as SessionFrame['header'];
}
