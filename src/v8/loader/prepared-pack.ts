import type { CacheFolder } from '../../base/cache/cache-folder.js';
import { type PrivateFile, readWhole } from '../../base/cache/open-private.js';
import { BufferPrototypeLatin1Slice, BufferPrototypeUcs2Slice } from '../../base/primordials.js';
import { deref, reflectApply, SafeWeakRef } from '../realm/primordials.js';
import { encodingOf, hasKey, isWide } from './cache-entry.js';
import { type ContentKey, keyOfBytes } from './content-key.js';
import type { PackedText } from './start-pack.js';

/** The file of a prepared cache that has its texts. */
export const PREPARED_PACK = 'prepared.pack';

const MAGIC = 0x70657270;
const HEADER_WORDS = 16;
/**
 * `functions` are the numbers that the texts use, `node` is `nodeWord` of the Node that prepared them, `check` the key of the
 * index.
 */
const HEADER = { magic: 0, rows: 1, functions: 2, node: 3, check: 4, sum: 8 } as const;
const ROW_WORDS = 28;
/**
 * Words of a text's row. Its payload begins at 8 times `at` bytes, its text behind that, and V8's code at the next multiple of 8.
 * `kind` has bits as that of a StartPack.
 */
const ROW = { place: 0, key: 4, payloadBytes: 8, textBytes: 9, codeBytes: 10, at: 11, first: 12, kind: 13 } as const;
const CHECK = { payload: 16, text: 20, code: 24 } as const;
const WIDE = 1;
const COMPILED = 2;
/** Words that lead from a text's content to its row: the first of its key, and the number of the row. */
const CONTENT_WORDS = 2;
const UNIT = 8;
/** Bytes that are read at once where texts are asked for in the order in which they stand. */
const AHEAD = 96 * 1024;
const padded = (bytes: number): number => (bytes + UNIT - 1) & -UNIT;

/** The Node whose code a pack has; that of another is not read. With other options of the same one V8 itself refuses it. */
const nodeWord = ({ version, arch } = process): number => {
  const name = `${version}-${arch}`;
  let word = 0;
  for (let i = 0; i < name.length; i++) word = (Math.imul(word, 31) + name.charCodeAt(i)) >>> 0;
  return word;
};

/** A text that goes into a prepared cache, whose functions have the numbers from `firstFunction` on. */
export interface TextToPrepare extends PackedText {
  readonly firstFunction: number;
  readonly placeKey: ContentKey;
  readonly key: ContentKey;
}

/** What a process must know of a pack before it loads a text. */
interface Head {
  readonly rows: number;
  readonly functions: number;
  readonly id: number;
  readonly hasCode: boolean;
  readonly check: ContentKey;
}

/** Where the rows are, sorted by their places, and what leads to them from contents. */
interface Index {
  readonly rows: Uint32Array;
  readonly contents: Uint32Array;
}

/** Bytes that were read ahead: those of the file from `at` to `end`. */
interface Piece {
  at: number;
  end: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** A sum of the header: the hash of content keys takes longer to get ready than all else here. */
const sumOf = (header: Uint32Array): number => {
  let sum = MAGIC;
  for (let i = 0; i < HEADER.sum; i++) sum = (Math.imul(sum, 31) + (header[i] as number)) >>> 0;
  return sum;
};

const readHead = ({ fd }: PrivateFile): Head | undefined => {
  const header = new Uint32Array(HEADER_WORDS);
  if (!readWhole(fd, header, 0) || header[HEADER.magic] !== MAGIC || header[HEADER.sum] !== sumOf(header)) return undefined;
  const word = (index: number): number => header[index] as number;
  const { check } = HEADER;
  return {
    rows: word(HEADER.rows),
    functions: word(HEADER.functions),
    id: word(check) || 1,
    hasCode: word(HEADER.node) === nodeWord(),
    check: [word(check), word(check + 1), word(check + 2), word(check + 3)],
  };
};

const readIndex = ({ fd, size }: PrivateFile, { rows, functions, check }: Head): Index | undefined => {
  const words = rows * (ROW_WORDS + CONTENT_WORDS);
  if ((HEADER_WORDS + words) * 4 > size) return undefined;
  const index = new Uint32Array(words);
  if (!readWhole(fd, index, HEADER_WORDS * 4)) return undefined;
  if (!hasKey(Uint32Array.from(check), 0, keyOfBytes(new Uint8Array(index.buffer), functions))) return undefined;
  return { rows: index.subarray(0, rows * ROW_WORDS), contents: index.subarray(rows * ROW_WORDS) };
};

const NO_INDEX: Index = { rows: new Uint32Array(0), contents: new Uint32Array(0) };

/** The place of the first group of `step` words in `words` whose first word is not less than `wanted`. */
const lowest = (words: Uint32Array, step: number, wanted: number): number => {
  let low = 0;
  let high = words.length / step;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((words[middle * step] as number) < wanted) low = middle + 1;
    else high = middle;
  }
  return low * step;
};

/**
 * The texts of an application that `fentry prepare` has instrumented, in one file that is never changed: its functions have
 * numbers that no other text of the process gets, so that V8's code of the texts fits in whatever order they are loaded. What is
 * not loaded costs its place in the index.
 */
export class PreparedPack {
  readonly #folder: CacheFolder;
  readonly #head: Head;
  #knownIndex: Index | undefined;
  #isCodeRefused = false;
  /** What was read ahead last. Weak, as the next text may be loaded hours later. */
  #piece: WeakRef<Piece> | undefined;
  /** The end of the text that was read last. */
  #end = 0;

  private constructor(folder: CacheFolder, head: Head) {
    this.#folder = folder;
    this.#head = head;
  }

  /** The pack in a folder; undefined if there is none that may be used. */
  static open(folder: CacheFolder): PreparedPack | undefined {
    const head = folder.read(PREPARED_PACK, readHead);
    return head && new PreparedPack(folder, head);
  }

  /** The folder that it is in. */
  get path(): string {
    return this.#folder.path;
  }

  /** Tells it from every other pack; never 0. */
  get id(): number {
    return this.#head.id;
  }

  /** The functions of its texts have the numbers below this. */
  get functions(): number {
    return this.#head.functions;
  }

  /** Texts in it. */
  get size(): number {
    return this.#head.rows;
  }

  /** Whether it has code of this V8. */
  get hasCode(): boolean {
    return this.#head.hasCode && !this.#isCodeRefused;
  }

  /** V8 has refused code of it: that of other texts is not read any more. */
  refuseCode(): void {
    this.#isCodeRefused = true;
  }

  /**
   * The text of a content at its place. V8's code of it is there until the next text is read.
   * @param wants sees the payload and says whether the text is of use; else only the payload is read
   * @param wantsCode whether V8's code of it is, too
   */
  find(placeKey: ContentKey, wants: (payload: Uint8Array<ArrayBuffer>) => boolean, wantsCode: boolean): PackedText | undefined {
    const { rows } = this.#index;
    for (let row = lowest(rows, ROW_WORDS, placeKey[0]); rows[row] === placeKey[0]; row += ROW_WORDS) {
      if (hasKey(rows, row + ROW.place, placeKey)) return this.#read(row, wants, wantsCode && this.hasCode);
    }
    return undefined;
  }

  /** The payload of a content at any place. */
  findContent(key: ContentKey): Uint8Array<ArrayBuffer> | undefined {
    const { rows, contents } = this.#index;
    for (let at = lowest(contents, CONTENT_WORDS, key[0]); contents[at] === key[0]; at += CONTENT_WORDS) {
      const row = (contents[at + 1] as number) * ROW_WORDS;
      if (hasKey(rows, row + ROW.key, key)) return this.#read(row, undefined, false)?.payload;
    }
    return undefined;
  }

  /** Read when the first text is looked for; empty if it is damaged. */
  get #index(): Index {
    this.#knownIndex ??= this.#folder.read(PREPARED_PACK, (file) => readIndex(file, this.#head)) ?? NO_INDEX;
    return this.#knownIndex;
  }

  #read(
    row: number,
    wants: ((payload: Uint8Array<ArrayBuffer>) => boolean) | undefined,
    wantsCode: boolean,
  ): PackedText | undefined {
    const { rows } = this.#index;
    const word = (index: number): number => rows[row + index] as number;
    const payloadBytes = word(ROW.payloadBytes);
    const textEnd = payloadBytes + word(ROW.textBytes);
    const codeAt = padded(textEnd);
    const codeBytes = wantsCode ? word(ROW.codeBytes) : 0;
    const kind = word(ROW.kind);
    const bytes = this.#bytes(word(ROW.at) * UNIT, wants === undefined ? payloadBytes : codeAt + codeBytes);
    if (bytes === undefined) return undefined;
    const isWhole = (check: number, part: Uint8Array): boolean => hasKey(rows, row + check, keyOfBytes(part));
    // A copy: its edits are kept, and must not keep the texts around it.
    const payload = bytes.slice(0, payloadBytes);
    if (!isWhole(CHECK.payload, payload)) return undefined;
    const none = { payload, text: '', code: undefined, isCompiled: false };
    if (wants?.(payload) !== true || !isWhole(CHECK.text, bytes.subarray(payloadBytes, textEnd))) return none;
    const slice = (kind & WIDE) === 0 ? BufferPrototypeLatin1Slice : BufferPrototypeUcs2Slice;
    const text = reflectApply(slice, bytes, [payloadBytes, textEnd]);
    const code = bytes.subarray(codeAt);
    const hasCode = codeBytes > 0 && isWhole(CHECK.code, code);
    return { payload, text, code: hasCode ? code : undefined, isCompiled: (kind & COMPILED) !== 0 };
  }

  /**
   * Bytes of the file, until the next ones are asked for. If the last ones were shortly before, those behind are read, too: the
   * texts stand in the order in which programs load them, and opening the file takes longer than reading more of it.
   */
  #bytes(at: number, length: number): Uint8Array<ArrayBuffer> | undefined {
    const isNext = length <= AHEAD && at >= this.#end && at - this.#end < AHEAD;
    this.#end = at + length;
    const last = this.#piece && deref(this.#piece);
    if (last !== undefined && at >= last.at && at + length <= last.end)
      return last.bytes.subarray(at - last.at, at - last.at + length);
    return this.#folder.read(PREPARED_PACK, ({ fd, size }) => {
      if (at + length > size) return undefined;
      if (isNext) return this.#readAhead(fd, at, size, last)?.subarray(0, length);
      const bytes = new Uint8Array(length);
      return readWhole(fd, bytes, at) ? bytes : undefined;
    });
  }

  /** @param last whose memory is used again: memory that is touched first takes longer than reading */
  #readAhead(fd: number, at: number, size: number, last: Piece | undefined): Uint8Array<ArrayBuffer> | undefined {
    const piece = last ?? { at: 0, end: 0, bytes: new Uint8Array(AHEAD) };
    const bytes = piece.bytes.subarray(0, size - at < AHEAD ? size - at : AHEAD);
    piece.end = 0;
    if (!readWhole(fd, bytes, at)) return undefined;
    piece.at = at;
    piece.end = at + bytes.length;
    if (last === undefined) this.#piece = new SafeWeakRef(piece);
    return bytes;
  }
}

const NONE = new Uint8Array(0);

/**
 * The parts of the file that has these texts, which stand in it in this order: that in which programs are expected to load them.
 * @param functions how many numbers their functions use
 */
export const packParts = (texts: readonly TextToPrepare[], functions: number): readonly Uint8Array[] => {
  const index = new Uint32Array(texts.length * (ROW_WORDS + CONTENT_WORDS));
  const rows = index.subarray(0, texts.length * ROW_WORDS);
  const parts: Uint8Array[] = [];
  let at = padded((HEADER_WORDS + index.length) * 4) / UNIT;
  const put = (bytes: Uint8Array): void => {
    parts.push(bytes, new Uint8Array(padded(bytes.length) - bytes.length));
    at += padded(bytes.length) / UNIT;
  };
  const rowOf = ({ placeKey, key, payload, text, code = NONE, isCompiled, firstFunction }: TextToPrepare): readonly number[] => {
    const kind = (isWide(text) ? WIDE : 0) | (isCompiled ? COMPILED : 0);
    const bytes = Buffer.from(text, encodingOf((kind & WIDE) !== 0));
    const sizes = [payload.length, bytes.length, code.length];
    const checks = [payload, bytes, code].flatMap((part) => keyOfBytes(part));
    const row = [...placeKey, ...key, ...sizes, at, firstFunction, kind, 0, 0, ...checks];
    put(Buffer.concat([payload, bytes]));
    put(code);
    return row;
  };
  const made = texts.map((text) => ({ text, row: rowOf(text) }));
  const sorted = made.toSorted((a, b) => a.text.placeKey[0] - b.text.placeKey[0]);
  sorted.forEach(({ row }, i) => {
    rows.set(row, i * ROW_WORDS);
  });
  const order = sorted.map(({ text: { key } }, i) => [key[0], i] as const).sort(([a], [b]) => a - b);
  index.set(order.flat(), rows.length);
  const header = new Uint32Array(HEADER_WORDS);
  header.set([MAGIC, texts.length, functions, nodeWord(), ...keyOfBytes(new Uint8Array(index.buffer), functions)]);
  header[HEADER.sum] = sumOf(header);
  const gap = padded(index.byteLength) - index.byteLength;
  return [new Uint8Array(header.buffer), new Uint8Array(index.buffer), new Uint8Array(gap), ...parts];
};
