import { ByteBuffer } from './byte-buffer.js';
import {
  BLOCKS,
  CALL_FLAGS,
  type ColumnsEnd,
  type ColumnsStart,
  type CounterKind,
  type Definitions,
  type InstantKind,
  MAGIC,
  PART_OF_CALL,
  type SliceKind,
  type TimelineFunction,
  type TimelineTrack,
} from './columns-format.js';

/** A block is written when it has this many bytes: small enough to show early, large enough to cost nothing. */
const BLOCK_BYTES = 1 << 16;
/** The most texts that are remembered, so that equal ones are written once. */
const KNOWN_TEXTS = 1 << 16;

/** A call as it is written. Times are nanoseconds. */
export interface WrittenCall {
  readonly track: number;
  readonly func: number;
  readonly depth: number;
  readonly start: number;
  readonly duration: number;
  /** The time of its callees. */
  readonly inside: number;
  /** From call to return. */
  readonly call: number;
  /** Some of `CALL_FLAGS`: resumed, suspended, unfinished, inner. */
  readonly flags: number;
  /** '' for none. */
  readonly args: string;
  readonly result: string;
  /** What the parts of a coroutine's call have in common; NONE: it is not known. */
  readonly activation: number;
}

/** A slice as it is written. Times are nanoseconds. */
export interface WrittenSlice {
  readonly kind: number;
  readonly track: number;
  readonly start: number;
  readonly duration: number;
  /** The task or async context; 0 if it is not known. */
  readonly context: number;
  readonly title: string;
  /** The number of the HTTP request that it is, or that it works for; NONE: of none. */
  readonly request: number;
}

/** Records of one track, and the time that the next delta is from. */
class TrackRecords {
  readonly buffer = new ByteBuffer();
  last = 0;
}

/** Writes the bytes that the page reads, block by block. Calls of a track come in the order of their ends. */
export class ColumnsWriter {
  readonly #write: (bytes: Uint8Array<ArrayBuffer>) => void;
  readonly #block = new ByteBuffer();
  #definitions: { -readonly [Name in keyof Definitions]: unknown[] } = {};
  #hasDefinitions = false;
  readonly #calls: TrackRecords[] = [];
  readonly #instants: TrackRecords[] = [];
  readonly #texts = new ByteBuffer();
  #knownTexts = new Map<string, number>();
  #textCount = 0;
  readonly #slices = new ByteBuffer();
  readonly #counters = new ByteBuffer();
  readonly #marks = new ByteBuffer();
  readonly #losses = new ByteBuffer();

  /** @param write gets bytes that it must copy if it keeps them */
  constructor(write: (bytes: Uint8Array<ArrayBuffer>) => void, start: ColumnsStart) {
    this.#write = write;
    const magic = new ByteBuffer();
    magic.text(MAGIC);
    write(magic.bytes);
    this.#json(BLOCKS.start, start);
  }

  /** Defines the next function; the first is 0. So do the methods below, each for its own numbers. */
  defineFunction(one: TimelineFunction): void {
    this.#define('functions', one);
  }

  defineTrack(one: TimelineTrack): void {
    this.#define('tracks', one);
  }

  defineInstant(one: InstantKind): void {
    this.#define('instants', one);
  }

  defineSlice(one: SliceKind): void {
    this.#define('slices', one);
  }

  defineCounter(one: CounterKind): void {
    this.#define('counters', one);
  }

  call({ track, func, depth, start, duration, inside, call, flags, args, result, activation }: WrittenCall): void {
    const end = start + duration;
    const records = this.#recordsOf(this.#calls, track, end);
    const { buffer } = records;
    const argsText = args === '' ? -1 : this.#text(args);
    const resultText = result === '' ? -1 : this.#text(result);
    let all = flags;
    if (inside !== 0) all |= CALL_FLAGS.inside;
    if (call !== duration) all |= CALL_FLAGS.call;
    if (argsText >= 0) all |= CALL_FLAGS.arguments;
    if (resultText >= 0) all |= CALL_FLAGS.result;
    buffer.byte(all);
    buffer.varint(func);
    buffer.varint(depth);
    buffer.zigzag(end - records.last);
    buffer.varint(duration);
    if (inside !== 0) buffer.varint(inside);
    if (call !== duration) buffer.varint(call);
    if (argsText >= 0) buffer.varint(argsText);
    if (resultText >= 0) buffer.varint(resultText);
    if ((flags & PART_OF_CALL) !== 0) buffer.varint(activation + 1);
    records.last = end;
    if (buffer.length >= BLOCK_BYTES) this.#flush(BLOCKS.calls, buffer);
  }

  /** An event at a time. */
  instant(track: number, kind: number, time: number, context: number, text: string): void {
    const records = this.#recordsOf(this.#instants, track, time);
    const { buffer } = records;
    buffer.varint(kind);
    buffer.zigzag(time - records.last);
    buffer.zigzag(context);
    buffer.varint(this.#text(text));
    records.last = time;
    if (buffer.length >= BLOCK_BYTES) this.#flush(BLOCKS.instants, buffer);
  }

  slice({ kind, track, start, duration, context, title, request }: WrittenSlice): void {
    const buffer = this.#slices;
    buffer.varint(kind);
    buffer.varint(track);
    buffer.varint(start);
    buffer.varint(duration);
    buffer.zigzag(context);
    buffer.varint(this.#text(title));
    buffer.varint(request + 1);
    if (buffer.length >= BLOCK_BYTES) this.#flush(BLOCKS.slices, buffer);
  }

  counter(counter: number, time: number, value: number): void {
    const buffer = this.#counters;
    buffer.varint(counter);
    buffer.varint(time);
    buffer.double(value);
    if (buffer.length >= BLOCK_BYTES) this.#flush(BLOCKS.counters, buffer);
  }

  mark(track: number, time: number, text: string): void {
    const buffer = this.#marks;
    buffer.varint(track);
    buffer.varint(time);
    buffer.varint(this.#text(text));
    if (buffer.length >= BLOCK_BYTES) this.#flush(BLOCKS.marks, buffer);
  }

  /** @param count how many events; less than 0: it is not known */
  loss(track: number, time: number, count: number): void {
    const buffer = this.#losses;
    buffer.varint(track);
    buffer.varint(time);
    buffer.varint(count < 0 ? 0 : count + 1);
    if (buffer.length >= BLOCK_BYTES) this.#flush(BLOCKS.losses, buffer);
  }

  /** Writes what is left, and the last block. */
  end(end: ColumnsEnd): void {
    for (const records of this.#calls) if (records !== undefined) this.#flush(BLOCKS.calls, records.buffer);
    for (const records of this.#instants) if (records !== undefined) this.#flush(BLOCKS.instants, records.buffer);
    this.#flush(BLOCKS.slices, this.#slices);
    this.#flush(BLOCKS.counters, this.#counters);
    this.#flush(BLOCKS.marks, this.#marks);
    this.#flush(BLOCKS.losses, this.#losses);
    this.#flushDefinitions();
    this.#json(BLOCKS.end, end);
  }

  /** The records of a track, whose first bytes say which track it is, and from which time on its deltas are. */
  #recordsOf(all: TrackRecords[], track: number, time: number): TrackRecords {
    const records = (all[track] ??= new TrackRecords());
    if (records.buffer.length > 0) return records;
    records.buffer.varint(track);
    records.buffer.varint(time);
    records.last = time;
    return records;
  }

  #text(text: string): number {
    const known = this.#knownTexts.get(text);
    if (known !== undefined) return known;
    const number = this.#textCount++;
    if (this.#knownTexts.size >= KNOWN_TEXTS) this.#knownTexts = new Map();
    this.#knownTexts.set(text, number);
    const one = encoder.encode(text);
    this.#texts.varint(one.length);
    this.#texts.append(one);
    if (this.#texts.length >= BLOCK_BYTES) this.#flushTexts();
    return number;
  }

  #define(name: keyof Definitions, one: unknown): void {
    (this.#definitions[name] ??= []).push(one);
    this.#hasDefinitions = true;
  }

  #flush(kind: number, buffer: ByteBuffer): void {
    if (buffer.length === 0) return;
    this.#flushDefinitions();
    this.#flushTexts();
    this.#put(kind, buffer.bytes);
    buffer.clear();
  }

  #flushDefinitions(): void {
    if (!this.#hasDefinitions) return;
    this.#json(BLOCKS.definitions, this.#definitions);
    this.#definitions = {};
    this.#hasDefinitions = false;
  }

  #flushTexts(): void {
    if (this.#texts.length === 0) return;
    this.#put(BLOCKS.texts, this.#texts.bytes);
    this.#texts.clear();
  }

  #json(kind: number, value: unknown): void {
    this.#put(kind, encoder.encode(JSON.stringify(value)));
  }

  #put(kind: number, payload: Uint8Array): void {
    const block = this.#block;
    block.clear();
    block.byte(kind);
    block.word(payload.length);
    block.append(payload);
    this.#write(block.bytes);
  }
}

const encoder = new TextEncoder();
