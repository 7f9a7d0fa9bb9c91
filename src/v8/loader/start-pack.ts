import type { CacheFolder } from '../../base/cache/cache-folder.js';
import { readWhole } from '../../base/cache/open-private.js';
import { BufferPrototypeLatin1Slice, BufferPrototypeUcs2Slice } from '../../base/primordials.js';
import { SafeMap } from '../../base/safe-map.js';
import { reflectApply } from '../realm/primordials.js';
import { encodingOf, hasKey, isWide } from './cache-entry.js';
import { type ContentKey, keyOfBytes, keyToHex, shortKey } from './content-key.js';

const MAGIC = 0x6b636170;
const HEADER_WORDS = 8;
/** `bytes` are those of the file, `check` is the key of the rows. */
const HEADER = { magic: 0, rows: 1, age: 2, bytes: 3, check: 4 } as const;
const ROW_WORDS = 16;
/**
 * Words of a text's row. `check` is the key of its three parts, which stand behind each other from byte `at` on, with what pads
 * them.
 */
const ROW = { key: 0, payloadBytes: 4, textBytes: 5, codeBytes: 6, kind: 7, at: 8, check: 12 } as const;
/** Bits of the word `kind`. */
const WIDE = 1;
const COMPILED = 2;

/** Bytes of the largest pack: the whole of it is in memory while the program starts. */
const MOST_BYTES = 64 * 1024 * 1024;

/** A text as it is packed. */
export interface PackedText {
  /** encodeEntry's bytes; in memory of the pack. */
  readonly payload: Uint8Array<ArrayBuffer>;
  /** The text with sites. */
  readonly text: string;
  /** V8's code cache of the text, for a text that is compiled by ModuleScripts, and in its form. */
  readonly code: Uint8Array | undefined;
  readonly isCompiled: boolean;
}

/** V8 copies a code cache that does not begin at a word of its own. */
const padded = (length: number): number => (length + 7) & ~7;

/** The texts that one program loads when it starts, in one file: with the numbers that their functions have in it. */
export class StartPack {
  readonly #bytes: Uint8Array<ArrayBuffer>;
  readonly #rows: Uint32Array;
  readonly #byKey = new SafeMap<number, number>();
  /** How old the process was that stored it, in milliseconds; 0 when there is none. */
  readonly age: number;
  /** When it was stored, in milliseconds since 1970. */
  readonly writtenAt: number;
  readonly #damageFound: () => void;

  private constructor(bytes: Uint8Array<ArrayBuffer>, rows: Uint32Array, age: number, writtenAt: number, damageFound = () => {}) {
    this.#bytes = bytes;
    this.#rows = rows;
    this.age = age;
    this.writtenAt = writtenAt;
    this.#damageFound = damageFound;
    for (let at = 0; at < rows.length; at += ROW_WORDS) this.#byKey.set(shortKey(rows[at] as number, rows[at + 1] as number), at);
  }

  /**
   * The pack of this name; an empty one where there is none, or a damaged one.
   * @param damageFound called for each text that is looked for and damaged
   */
  static read(folder: CacheFolder, name: string, damageFound?: () => void): StartPack {
    const pack = folder.read(name, ({ fd, size, writtenAt }) => {
      if (size < HEADER_WORDS * 4 || size > MOST_BYTES) return undefined;
      const bytes = new Uint8Array(size);
      if (!readWhole(fd, bytes, 0)) return undefined;
      const header = new Uint32Array(bytes.buffer, 0, HEADER_WORDS);
      const rowWords = (header[HEADER.rows] as number) * ROW_WORDS;
      if (header[HEADER.magic] !== MAGIC || header[HEADER.bytes] !== size || (HEADER_WORDS + rowWords) * 4 > size)
        return undefined;
      const rows = new Uint32Array(bytes.buffer, HEADER_WORDS * 4, rowWords);
      if (!hasKey(header, HEADER.check, keyOfBytes(bytesOf(rows), header[HEADER.age]!))) return undefined;
      return new StartPack(bytes, rows, header[HEADER.age]!, writtenAt, damageFound);
    });
    return pack ?? new StartPack(new Uint8Array(0), new Uint32Array(0), 0, 0);
  }

  get size(): number {
    return this.#byKey.size;
  }

  /** The text of a key, if it is there and undamaged, and `wants` takes the payload. */
  find(key: ContentKey, wants: (payload: Uint8Array<ArrayBuffer>) => boolean): PackedText | undefined {
    const row = this.#byKey.get(shortKey(key[0], key[1]));
    if (row === undefined || !hasKey(this.#rows, row, key)) return undefined;
    const word = (index: number): number => this.#rows[row + index] as number;
    const at = word(ROW.at);
    const textAt = at + word(ROW.payloadBytes);
    const codeAt = at + padded(word(ROW.payloadBytes) + word(ROW.textBytes));
    const codeEnd = codeAt + word(ROW.codeBytes);
    const kind = word(ROW.kind);
    if (!hasKey(this.#rows, row + ROW.check, keyOfBytes(this.#bytes.subarray(at, padded(codeEnd)), kind))) {
      this.#damageFound();
      return undefined;
    }
    const payload = this.#bytes.subarray(at, textAt);
    if (!wants(payload)) return undefined;
    const text = reflectApply((kind & WIDE) === 0 ? BufferPrototypeLatin1Slice : BufferPrototypeUcs2Slice, this.#bytes, [
      textAt,
      textAt + word(ROW.textBytes),
    ]);
    const code = codeEnd === codeAt ? undefined : this.#bytes.subarray(codeAt, codeEnd);
    return { payload, text, code, isCompiled: (kind & COMPILED) !== 0 };
  }
}

/** A pack that is put together text by text, which takes some time for each. */
export class PackWriter {
  readonly #rows: number[] = [];
  readonly #parts: Uint8Array[] = [];
  /** Bytes of the texts. */
  bytes = 0;

  add(key: ContentKey, { payload, text, code, isCompiled }: PackedText): void {
    const kind = (isWide(text) ? WIDE : 0) | (isCompiled ? COMPILED : 0);
    const bytes = Buffer.from(text, encodingOf((kind & WIDE) !== 0));
    const codeBytes = code?.length ?? 0;
    const codeAt = padded(payload.length + bytes.length);
    const part = Buffer.alloc(codeAt + padded(codeBytes));
    part.set(payload, 0);
    part.set(bytes, payload.length);
    if (code !== undefined) part.set(code, codeAt);
    this.#rows.push(...key, payload.length, bytes.length, codeBytes, kind, this.bytes, 0, 0, 0, ...keyOfBytes(part, kind));
    this.#parts.push(part);
    this.bytes += part.length;
  }

  /** Stores the pack under a name. `age`: how old this process is, in milliseconds. */
  store(folder: CacheFolder, name: string, age: number): void {
    const rows = Uint32Array.from(this.#rows);
    const start = (HEADER_WORDS + rows.length) * 4;
    if (start + this.bytes > MOST_BYTES) return;
    for (let at = ROW.at; at < rows.length; at += ROW_WORDS) rows[at]! += start;
    const header = new Uint32Array(HEADER_WORDS);
    header.set([MAGIC, this.#parts.length, age, start + this.bytes, ...keyOfBytes(bytesOf(rows), age)]);
    folder.write(name, [header, rows, ...this.#parts]);
  }
}

/** The name of a program's pack. */
export const packName = (program: ContentKey): string => `${keyToHex(program)}.pack`;

const bytesOf = (words: Uint32Array): Uint8Array => new Uint8Array(words.buffer, words.byteOffset, words.byteLength);
