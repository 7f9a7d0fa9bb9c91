import type { CpuReader, EventSnapshot } from '../ring-buffer/index.js';

/** How many events were lost before a record when the number is not known. */
export const LOST_UNKNOWN = -1;

/**
 * Goes through the records of one cpu. It is at one record at a time; the fields say where that record is. The bytes of a
 * record stay valid until the cursor was advanced twice.
 */
export interface RecordCursor {
  readonly cpu: number;
  /** The memory that contains the record. */
  readonly words: Uint32Array;
  readonly bytes: Uint8Array;
  /** Index of the payload in `words`. */
  readonly at: number;
  /** Bytes of the payload; a multiple of 4. */
  readonly size: number;
  /** Nanoseconds. */
  readonly ts: number;
  /** Events lost between the record before and this one, or LOST_UNKNOWN. */
  readonly lost: number;
  /** Goes to the next record. Returns false if there is none now; a later call checks again. */
  advance(): boolean;
}

/** The fields of an object that is at one record at a time. */
export class RecordPlace {
  cpu: number;
  words: Uint32Array = new Uint32Array(0);
  bytes: Uint8Array = new Uint8Array(0);
  at = 0;
  size = 0;
  ts = 0;
  lost = 0;

  constructor(cpu: number) {
    this.cpu = cpu;
  }
}

/** The records of a snapshot: the ring buffer keeps them. */
export class SnapshotRecords extends RecordPlace implements RecordCursor {
  readonly #snapshot: EventSnapshot;

  constructor(cpu: number, snapshot: EventSnapshot) {
    super(cpu);
    this.#snapshot = snapshot;
  }

  advance(): boolean {
    const snapshot = this.#snapshot;
    if (!snapshot.next()) return false;
    this.words = snapshot.words;
    this.bytes = snapshot.bytes;
    this.at = snapshot.payload >>> 2;
    this.size = snapshot.length;
    this.ts = snapshot.ts;
    this.lost = snapshot.lost;
    return true;
  }
}

const SCRATCH_BYTES = 256;

/**
 * Consumes the records of a ring buffer one by one: a record is consumed when the cursor goes on, so that a reader that stops
 * leaves the rest to the next reader. Each record is copied, because the writer may soon use its memory again.
 */
export class ConsumedRecords extends RecordPlace implements RecordCursor {
  readonly #reader: CpuReader;
  #spare: Uint8Array = new Uint8Array(SCRATCH_BYTES);
  /** Number of the current record; -1: none. */
  #number = -1;

  constructor(cpu: number, reader: CpuReader) {
    super(cpu);
    this.#reader = reader;
    this.bytes = new Uint8Array(SCRATCH_BYTES);
  }

  advance(): boolean {
    const reader = this.#reader;
    // Another reader may have been faster, and the buffer may have moved.
    if (this.#number >= 0 && reader.peek() && reader.number === this.#number) reader.consume();
    this.#number = -1;
    if (!reader.peek()) return false;
    this.#copy(reader);
    this.#number = reader.number;
    this.size = reader.length;
    this.ts = reader.ts;
    this.lost = reader.lost;
    return true;
  }

  /** Copies into the buffer that does not have the previous record. */
  #copy(reader: CpuReader): void {
    const target = this.#spare.length >= reader.length ? this.#spare : new Uint8Array(reader.length);
    target.set(reader.bytes.subarray(reader.payload, reader.payload + reader.length));
    this.#spare = this.bytes;
    this.bytes = target;
    this.words = new Uint32Array(target.buffer, 0, target.length >>> 2);
  }
}
