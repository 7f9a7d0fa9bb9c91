/** How many frames of a stack are kept, like STACK_TRACE_ENTRIES of the kernel. */
export const STACK_ENTRIES = 500;

const HEADER_WORDS = 16;

/**
 * Numbers of words: of the whole, then of each cpu's part, which has a version that is odd while the thread writes, the sequence
 * number of the stack, two counts, and from ADDRESSES on doubles, but for DEPTHS.
 */
export const STACK_LAYOUT = {
  MAX_SIZE: 0,
  ORDER: 1,
  VERSION: 0,
  CPU_ORDER: 1,
  FRAMES: 2,
  MEASURED: 3,
  ADDRESSES: 4,
  FUNCTIONS: 4 + 2 * STACK_ENTRIES,
  DEPTHS: 4 + 4 * STACK_ENTRIES,
} as const;
const { MAX_SIZE, ORDER, VERSION, CPU_ORDER, FRAMES, MEASURED, ADDRESSES, FUNCTIONS, DEPTHS } = STACK_LAYOUT;
const CPU_WORDS = DEPTHS + STACK_ENTRIES;

/** The number of the first word of a cpu's part. */
export const stackPart = (cpu: number): number => HEADER_WORDS + cpu * CPU_WORDS;

/** How often a reader tries again while the thread writes. */
const TRIES = 100;
const LARGEST = 0x7fffffff;

/**
 * A frame whose place on the stack was measured: its function's address, or that of the frame itself; bytes of stack in use
 * there.
 */
export interface MeasuredFrame {
  readonly address: number;
  readonly depth: number;
}

/** A stack, innermost frame first. */
export interface RecordedStack {
  /** An address inside each function. */
  readonly frames: readonly number[];
  /** The frames whose place is known, in the same order. */
  readonly measured: readonly MeasuredFrame[];
}

/**
 * The deepest stack that any thread of the process had, in shared memory (the stack_trace_max_size and stack_dump_trace of
 * kernel/trace/trace_stack.c). There is no lock, because a thread may be terminated anywhere: each cpu has its own part, and
 * the part that was written last has the deepest stack.
 */
export class DeepestStack {
  readonly memory: SharedArrayBuffer;
  readonly #words: Int32Array<SharedArrayBuffer>;
  readonly #doubles: Float64Array<SharedArrayBuffer>;

  constructor(memory: SharedArrayBuffer) {
    this.memory = memory;
    this.#words = new Int32Array(memory);
    this.#doubles = new Float64Array(memory);
  }

  /** Pages that no thread writes take no memory. */
  static create(cpus: number, allocate = (bytes: number) => new SharedArrayBuffer(bytes)): DeepestStack {
    return new DeepestStack(allocate(stackPart(cpus) * 4));
  }

  /** Bytes; at most 2 GiB. */
  get maxSize(): number {
    return Atomics.load(this.#words, MAX_SIZE);
  }

  set maxSize(bytes: number) {
    Atomics.store(this.#words, MAX_SIZE, Math.min(bytes, LARGEST));
  }

  /** Makes `bytes` the maximum if it is larger. */
  raise(bytes: number): boolean {
    for (;;) {
      const max = this.maxSize;
      if (bytes <= max) return false;
      if (Atomics.compareExchange(this.#words, MAX_SIZE, max, bytes) === max) return true;
    }
  }

  /** Writes the stack that raised the maximum. Only the thread of that cpu writes there. */
  write(cpu: number, frames: Float64Array, functions: ArrayLike<number>, depths: ArrayLike<number>): void {
    const words = this.#words;
    const doubles = this.#doubles;
    const part = stackPart(cpu);
    const measured = Math.min(functions.length, STACK_ENTRIES);
    // A read-modify-write keeps later accesses after it, and in #readPart() earlier accesses before it, on arm64 too.
    Atomics.or(words, part + VERSION, 1);
    doubles.set(frames.subarray(0, STACK_ENTRIES), (part + ADDRESSES) / 2);
    for (let i = 0; i < measured; i++) {
      doubles[(part + FUNCTIONS) / 2 + i] = functions[i]!;
      words[part + DEPTHS + i] = depths[i]!;
    }
    words[part + FRAMES] = Math.min(frames.length, STACK_ENTRIES);
    words[part + MEASURED] = measured;
    words[part + CPU_ORDER] = Atomics.add(words, ORDER, 1) + 1;
    Atomics.store(words, part + VERSION, words[part + VERSION]! + 1);
  }

  /** The stack that raised the maximum last; undefined if there was none. */
  read(): RecordedStack | undefined {
    const words = this.#words;
    let latest = 0;
    let stack: RecordedStack | undefined;
    for (let part = stackPart(0); part + CPU_WORDS <= words.length; part += CPU_WORDS) {
      if (words[part + CPU_ORDER]! <= latest) continue;
      const found = this.#readPart(part);
      if (found === undefined) continue;
      latest = words[part + CPU_ORDER]!;
      stack = found;
    }
    return stack;
  }

  #readPart(part: number): RecordedStack | undefined {
    const words = this.#words;
    for (let i = 0; i < TRIES; i++) {
      const version = Atomics.load(words, part + VERSION);
      if ((version & 1) !== 0) continue;
      const frames = this.#addresses(part + ADDRESSES, words[part + FRAMES]!);
      const functions = this.#addresses(part + FUNCTIONS, words[part + MEASURED]!);
      const measured = functions.map((address, at) => ({
        address,
        depth: words[part + DEPTHS + at]!,
      }));
      if (Atomics.or(words, part + VERSION, 0) === version) return { frames, measured };
    }
    return undefined;
  }

  #addresses(word: number, count: number): readonly number[] {
    return Array.from(this.#doubles.subarray(word / 2, word / 2 + count));
  }
}
