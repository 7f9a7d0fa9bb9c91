import { AtomicsNotify, AtomicsWait } from '../base/primordials.js';

/**
 * The memory of a ring buffer, as its readers use it: words, bytes, and how to wait for its writer and wake other readers. The
 * words are 32 bits (`i32`, `u32`) or doubles (`f64`) of the same memory; layout.ts says what they are.
 */
export interface RingMemory {
  /** For a writer in this process. */
  readonly buffer: ArrayBufferLike;
  readonly i32: Int32Array;
  readonly u32: Uint32Array;
  readonly u8: Uint8Array;
  readonly f64: Float64Array;
  /** Resolves when a word is woken, at once if it does not hold `value`, or after the time. */
  wait(word: number, value: number, timeoutMs: number): Promise<void>;
  /** Waits for a word as `wait` does, but blocks the thread. */
  block(word: number, value: number, timeoutMs: number): void;
  /** Wakes everything that waits for a word. */
  wake(word: number): void;
}

type WaitAsync = (
  words: Int32Array,
  index: number,
  value: number,
  timeout: number,
) => { async: false } | { async: true; value: Promise<string> };
const waitAsync = (Atomics as unknown as { waitAsync: WaitAsync }).waitAsync;

/** A SharedArrayBuffer, whose writer and readers are threads of this process. */
export class SharedMemory implements RingMemory {
  readonly buffer: ArrayBufferLike;
  readonly i32: Int32Array;
  readonly u32: Uint32Array;
  readonly u8: Uint8Array;
  readonly f64: Float64Array;

  constructor(buffer: ArrayBufferLike) {
    this.buffer = buffer;
    this.i32 = new Int32Array(buffer);
    this.u32 = new Uint32Array(buffer);
    this.u8 = new Uint8Array(buffer);
    this.f64 = new Float64Array(buffer);
  }

  async wait(word: number, value: number, timeoutMs: number): Promise<void> {
    const wait = waitAsync(this.i32, word, value, timeoutMs);
    if (wait.async) await wait.value;
  }

  block(word: number, value: number, timeoutMs: number): void {
    AtomicsWait(this.i32, word, value, timeoutMs);
  }

  wake(word: number): void {
    AtomicsNotify(this.i32, word);
  }
}

/** The memory itself, or that of a buffer. */
export const ringMemory = (memory: ArrayBufferLike | RingMemory): RingMemory =>
  'i32' in memory ? memory : new SharedMemory(memory);
