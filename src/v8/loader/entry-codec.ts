import { TextEncoder } from 'node:util';
import { BufferPrototypeUtf8Slice } from '../../base/primordials.js';
import type { Unparsed } from '../instrument/index.js';
import { reflectApply } from '../realm/primordials.js';

/**
 * A cache entry of an instrumented text: everything that is needed to load it again, in one sequence of bytes. u32 lengths of
 * the parts (prefix, source map URL, edits, functions, what the parser said), the function count, the first function's
 * number, flags and mentions, then the parts, each padded to a multiple of 4.
 */
export interface TextEntry {
  readonly prefix: string;
  /** The word as written in the source; '' for none. */
  readonly sourceMappingURL: string;
  readonly functionCount: number;
  /** The number of the first function in the text that is stored beside. */
  readonly firstFunction: number;
  /** serializeEdits' bytes. */
  readonly edits: Uint8Array;
  /** encodeFunctions' bytes. */
  readonly functions: Uint8Array<ArrayBuffer>;
  /** The source, or code that it makes of strings, can call `import()`. */
  readonly mayImport: boolean;
  /** mentionsOf the source. */
  readonly mentions: number;
  /** For a source that the parser could not read; it then has no functions. */
  readonly unparsed?: Unparsed;
}

/** The numbers of the parts. */
const PART = { prefix: 0, url: 1, edits: 2, functions: 3, unparsed: 4 } as const;
const PARTS = 5;
const HEADER_WORDS = PARTS + 3;
const MAY_IMPORT = 1;
/** The bits from here on. */
const MENTIONS = 1;
const padded = (length: number): number => (length + 3) & ~3;

/** The entry as bytes; the length is a multiple of 4. */
export const encodeEntry = (entry: TextEntry): Uint8Array<ArrayBuffer> => {
  const text = new TextEncoder();
  const unparsed = entry.unparsed === undefined ? '' : JSON.stringify(entry.unparsed);
  const parts = [
    text.encode(entry.prefix),
    text.encode(entry.sourceMappingURL),
    entry.edits,
    entry.functions,
    text.encode(unparsed),
  ];
  const total = parts.reduce((sum, part) => sum + padded(part.length), HEADER_WORDS * 4);
  const out = new Uint8Array(total);
  new Uint32Array(out.buffer, 0, HEADER_WORDS).set([
    ...parts.map((part) => part.length),
    entry.functionCount,
    entry.firstFunction,
    (entry.mayImport ? MAY_IMPORT : 0) | (entry.mentions << MENTIONS),
  ]);
  let at = HEADER_WORDS * 4;
  for (const part of parts) {
    out.set(part, at);
    at += padded(part.length);
  }
  return out;
};

let lastPrefix = '';
/** Nearly all texts have the same prefix, which stays as long as they do. */
const shared = (prefix: string): string => {
  if (prefix !== lastPrefix) lastPrefix = prefix;
  return lastPrefix;
};

/**
 * Reads the result of encodeEntry, at a multiple of 4 of its buffer; undefined if the lengths do not match. `edits` is a view of
 * the bytes, `functions` a copy, which is sent to another thread.
 */
export const decodeEntry = (bytes: Uint8Array<ArrayBuffer>): TextEntry | undefined => {
  if (bytes.length < HEADER_WORDS * 4) return undefined;
  const header = new Uint32Array(bytes.buffer, bytes.byteOffset, HEADER_WORDS);
  const lengthOf = (part: number): number => header[part] as number;
  const urlAt = HEADER_WORDS * 4 + padded(lengthOf(PART.prefix));
  const editsAt = urlAt + padded(lengthOf(PART.url));
  const functionsAt = editsAt + padded(lengthOf(PART.edits));
  const unparsedAt = functionsAt + padded(lengthOf(PART.functions));
  if (unparsedAt + padded(lengthOf(PART.unparsed)) !== bytes.length) return undefined;
  const text = (part: number, at: number): string =>
    lengthOf(part) === 0 ? '' : reflectApply(BufferPrototypeUtf8Slice, bytes, [at, at + lengthOf(part)]);
  const unparsed = text(PART.unparsed, unparsedAt);
  const flags = header[PARTS + 2] as number;
  return {
    prefix: shared(text(PART.prefix, HEADER_WORDS * 4)),
    sourceMappingURL: text(PART.url, urlAt),
    functionCount: header[PARTS] as number,
    firstFunction: header[PARTS + 1] as number,
    mayImport: (flags & MAY_IMPORT) !== 0,
    mentions: flags >>> MENTIONS,
    edits: bytes.subarray(editsAt, editsAt + lengthOf(PART.edits)),
    functions: bytes.slice(functionsAt, functionsAt + lengthOf(PART.functions)),
    ...(unparsed !== '' && { unparsed: JSON.parse(unparsed) as Unparsed }),
  };
};
