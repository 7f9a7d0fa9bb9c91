import { TraceError } from '../../base/errno.js';
import { allocateRing } from '../../ring-buffer/index.js';
import { type LocalProcess, sharedPages } from '../addon/local-process.js';
import { processMachine } from '../machines/process-machine.js';
import type { AddressRange } from '../process/address-range.js';

/** Memory is given in pieces of so many bytes: a SharedArrayBuffer that begins at a page has whole pieces. */
const GRAIN = 65_536;
const KEEP_SIZE_PUNCH_HOLE = 3;

/** A piece of the file. */
interface Piece {
  readonly offset: number;
  readonly bytes: number;
}

/** Memory for rings, which the traced process has too. */
export interface RingMemoryPages {
  /** So many zero bytes or more. @throws TraceError ENOMEM when there is no room */
  allocate(bytes: number): SharedArrayBuffer;
  /** Where the traced process has it; undefined: it has not. */
  addressOf(buffer: SharedArrayBuffer): number | undefined;
  /** The most bytes that so many pieces of one size can have each; Infinity: nothing limits them. */
  largestOf(count: number): number;
  /** Gives all of it back to the system: it reads as zeros then. */
  empty(): void;
}

/** Pages of memory if the traced process is this one. What the process is told of must be held. */
export const localPages = (local: LocalProcess): RingMemoryPages => ({
  allocate: allocateRing,
  addressOf: (buffer) => local.addressOf(new Uint8Array(buffer)),
  largestOf: () => Infinity,
  empty() {},
});

/**
 * A file that the traced process and this one have both mapped, given out as SharedArrayBuffers: what one side writes, the other
 * one reads. A piece whose SharedArrayBuffer nobody holds any more is given out again, so who tells the process of one must hold
 * it.
 */
export class SharedPages implements RingMemoryPages {
  readonly #local: LocalProcess;
  readonly #fd: number;
  readonly #inTarget: AddressRange;
  readonly #pieces = new WeakMap<SharedArrayBuffer, Piece>();
  /** By offset; no two of them touch. */
  #free: readonly Piece[] = [];
  readonly #released = new FinalizationRegistry<Piece>((piece) => this.#release(piece));
  #end = 0;

  /**
   * @param fd the file, as long as the range
   * @param inTarget where it is mapped in the traced process
   */
  constructor(local: LocalProcess, fd: number, inTarget: AddressRange) {
    this.#local = local;
    this.#fd = fd;
    this.#inTarget = inTarget;
  }

  /** So many zero bytes, rounded up to 64 KiB. @throws TraceError ENOMEM when the file is full */
  allocate(bytes: number): SharedArrayBuffer {
    const piece = this.#take(Math.ceil(bytes / GRAIN) * GRAIN);
    try {
      const buffer = sharedPages(piece.bytes);
      this.#local.mapShared(this.#fd, piece.offset, new Uint8Array(buffer));
      this.#pieces.set(buffer, piece);
      this.#released.register(buffer, piece);
      return buffer;
    } catch (error) {
      this.#put(piece);
      throw new TraceError('ENOMEM', `memory that a process shares: ${(error as Error).message}`);
    }
  }

  /** Where the traced process has a buffer that `allocate` gave; undefined for any other one. */
  addressOf(buffer: SharedArrayBuffer): number | undefined {
    const piece = this.#pieces.get(buffer);
    return piece && this.#inTarget.start + piece.offset;
  }

  empty(): void {
    this.#discard({ offset: 0, bytes: this.#end });
  }

  #take(bytes: number): Piece {
    const known = this.#free.find((piece) => piece.bytes >= bytes);
    if (known !== undefined) {
      const rest = { offset: known.offset + bytes, bytes: known.bytes - bytes };
      this.#free = this.#free.flatMap((piece) => (piece !== known ? [piece] : rest.bytes > 0 ? [rest] : []));
      return { offset: known.offset, bytes };
    }
    const offset = this.#end;
    if (offset + bytes > this.#bytes) throw new TraceError('ENOMEM', `no room for ${bytes} bytes: ${this.#full()}`);
    this.#end += bytes;
    return { offset, bytes };
  }

  get #bytes(): number {
    return this.#inTarget.end - this.#inTarget.start;
  }

  #full(): string {
    return `buffers have ${this.#bytes / 2 ** 20} MiB in all, of which ${this.#end / 2 ** 20} MiB are in use`;
  }

  #put(piece: Piece): void {
    const all = [...this.#free, piece].sort((a, b) => a.offset - b.offset);
    const joined: Piece[] = [];
    for (const one of all) {
      const last = joined.at(-1);
      if (last !== undefined && last.offset + last.bytes === one.offset) {
        joined[joined.length - 1] = { offset: last.offset, bytes: last.bytes + one.bytes };
      } else joined.push(one);
    }
    const last = joined.at(-1);
    if (last !== undefined && last.offset + last.bytes === this.#end) {
      this.#end = last.offset;
      joined.pop();
    }
    this.#free = joined;
  }

  largestOf(count: number): number {
    const ends = this.#bytes - this.#end;
    const pieces = [...this.#free.map(({ bytes }) => bytes), ends];
    const fits = (each: number): boolean => pieces.reduce((sum, bytes) => sum + Math.floor(bytes / each), 0) >= count;
    let [low, high] = [0, Math.floor(this.#bytes / GRAIN)];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (fits(middle * GRAIN)) low = middle;
      else high = middle - 1;
    }
    return low * GRAIN;
  }

  /** Gives a piece back, and its memory to the system: what is given out again holds zeros. */
  #release(piece: Piece): void {
    this.#discard(piece);
    this.#put(piece);
  }

  #discard({ offset, bytes }: Piece): void {
    this.#local.systemCall(processMachine.systemCalls.fallocate, this.#fd, KEEP_SIZE_PUNCH_HOLE, offset, bytes);
  }
}
