import { type ArenaLayout, BLOCK, blockAt, FUNCTION, GATE, OPEN, READY_SLOTS, SHARED, WRITER } from '../code/arena.js';
import { longBytes } from '../machine/long-bytes.js';
import type { AddressRange } from '../process/address-range.js';
import type { MappedRange } from '../process/process-maps.js';
import type { ProcessMemory } from '../process/process-memory.js';

const FUNCTION_WORDS = FUNCTION.BYTES / 4;
const NO_STACK: AddressRange = { start: 0, end: 0 };

/**
 * The stack of a thread. The C library puts the thread pointer at the end of the stack that it has mapped for a thread; that of
 * the main thread lies elsewhere, and its stack, which grows, has a name.
 */
function threadStack(maps: readonly MappedRange[], threadPointer: number): AddressRange | undefined {
  const own = maps.find(({ start, end }) => threadPointer >= start && threadPointer < end);
  if (own !== undefined && own.end - threadPointer < LARGEST_TCB && threadPointer - own.start > SMALLEST_STACK) {
    return { start: own.start, end: threadPointer };
  }
  const at = maps.findIndex(({ path }) => path === '[stack]');
  return at < 1 ? undefined : { start: maps[at - 1]!.end, end: maps[at]!.end };
}

/** Bytes behind a thread pointer on a thread's stack, at most; and of a stack, at least. */
const LARGEST_TCB = 8192;
const SMALLEST_STACK = 16_384 - LARGEST_TCB;

/** A thread that has taken a block. */
export interface BlockOwner {
  readonly block: number;
  readonly tid: number;
}

/** The memory of a traced process that the emitted code works with, as the host reads and writes it. */
export class NativeArena {
  readonly layout: ArenaLayout;
  /** The arena's address in the process. */
  readonly start: number;
  readonly #memory: ProcessMemory;
  #given = 0;
  #taken = 0;

  constructor(memory: ProcessMemory, start: number, layout: ArenaLayout) {
    this.#memory = memory;
    this.start = start;
    this.layout = layout;
  }

  /** The address of a block. */
  block(number: number): number {
    return this.start + blockAt(this.layout, number);
  }

  /** The address of one of a block's writers. */
  writer(block: number, which: number): number {
    return this.block(block) + BLOCK.WRITERS + which * WRITER.BYTES;
  }

  /** Blocks that were given and have no thread yet. */
  get waiting(): number {
    return this.#given - this.#taken;
  }

  /** The next thread that comes by may take a block. */
  give(block: number): void {
    this.setWord(this.start + this.layout.ready + (this.#given % READY_SLOTS) * 4, block);
    this.setLong(this.start + SHARED.GIVEN, ++this.#given);
  }

  /** Says where threads tell of themselves. */
  setThreadWords(address: number): void {
    this.setLong(this.start + SHARED.THREAD_WORDS, address);
  }

  /** The id that the thread of a block has said; 0: none has. */
  tidOf(block: number): number {
    return this.word(this.block(block) + BLOCK.TID);
  }

  /** Says where a block's owner is; 0: only the host gives the block to another thread. */
  setOwnerWord(block: number, address: number): void {
    this.setLong(this.block(block) + BLOCK.OWNER, address);
  }

  /** Events for which one of a block's writers had no room. */
  dropped(block: number, which: number): number {
    return this.long(this.writer(block, which) + WRITER.DROPPED);
  }

  /** Makes a block that its thread has left one for another thread. */
  clear(block: number): void {
    this.#memory.write(this.block(block), new Uint8Array(BLOCK.WRITER));
    this.#memory.write(this.block(block) + BLOCK.EVENTS_IGNORED, new Uint8Array(BLOCK.READ_HIGH + 8 - BLOCK.EVENTS_IGNORED));
    this.setWord(this.block(block) + BLOCK.IGNORED_LISTS, 0);
    this.setLong(this.block(block) + BLOCK.SCRATCH_USER, 0);
    this.#memory.write(this.block(block) + BLOCK.DEEPEST_USER, new Uint8Array(BLOCK.MEASURED_GONE + 8 - BLOCK.DEEPEST_USER));
  }

  /** The blocks that were taken since the last call; one whose thread has not said its id yet comes later. */
  taken(): readonly BlockOwner[] {
    const taken = Math.min(this.long(this.start + SHARED.TAKEN), this.#given);
    const owners: BlockOwner[] = [];
    while (this.#taken < taken) {
      const block = this.word(this.start + this.layout.ready + (this.#taken % READY_SLOTS) * 4);
      const tid = this.tidOf(block);
      if (tid === 0) break;
      owners.push({ block, tid });
      this.#taken++;
    }
    return owners;
  }

  /**
   * Says where the main thread's stack is, which it cannot find out by itself, before it takes a block. @param tid as the process
   * knows it
   */
  setMainStack(tid: number, maps: readonly MappedRange[]): void {
    const { start, end } = threadStack(maps, 0) ?? NO_STACK;
    this.setLong(this.start + SHARED.MAIN_STACK_LOW, start);
    this.setLong(this.start + SHARED.MAIN_STACK_HIGH, end);
    this.setWord(this.start + SHARED.MAIN_TID, tid);
  }

  /** Says where the stack of a block's thread is: frames on other stacks may be those of coroutines. */
  setStack(block: number, maps: readonly MappedRange[]): void {
    const threadPointer = this.long(this.block(block) + BLOCK.TP);
    const { start, end } = threadStack(maps, threadPointer) ?? NO_STACK;
    this.setLong(this.block(block) + BLOCK.STACK_LOW, start);
    this.setLong(this.block(block) + BLOCK.STACK_HIGH, end);
    // The upper end comes last: without it nothing is read as the stack.
    this.setLong(this.block(block) + BLOCK.READ_LOW, start);
    this.setLong(this.block(block) + BLOCK.READ_HIGH, end);
  }

  /** Sets a word of the gate. */
  setGate(word: 'MAX_DEPTH' | 'HAS_GRAPH_FUNCTIONS' | 'PROFILE' | 'RESULTS' | 'ARGUMENTS', value: number): void {
    this.setWord(this.start + GATE[word], value);
  }

  setOpen(open: keyof typeof OPEN): void {
    this.setWord(this.start + GATE.OPEN, OPEN[open]);
  }

  setThreshold(ns: number): void {
    this.setLong(this.start + GATE.THRESHOLD, ns);
  }

  /** Describes functions from one number on: their addresses in records, FUNCTION_FLAG bits, and their lists of operations. */
  setFunctions(
    first: number,
    addresses: ArrayLike<number>,
    flags = (_n: number): number => 0,
    operations = (_n: number): number => 0,
  ): void {
    const words = new Uint32Array(addresses.length * FUNCTION_WORDS);
    for (let i = 0; i < addresses.length; i++) {
      const at = i * FUNCTION_WORDS;
      const address = addresses[i]!;
      words[at + FUNCTION.IP / 4] = address;
      words[at + FUNCTION.IP / 4 + 1] = Math.floor(address / 2 ** 32);
      words[at + FUNCTION.FLAGS / 4] = flags(first + i);
      words[at + FUNCTION.OPERATIONS / 4] = operations(first + i);
    }
    this.#memory.write(this.start + this.layout.functionTable + first * FUNCTION.BYTES, new Uint8Array(words.buffer));
  }

  /** Gives a function another list of operations, in one write. */
  setOperations(n: number, list: number): void {
    this.setWord(this.start + this.layout.functionTable + n * FUNCTION.BYTES + FUNCTION.OPERATIONS, list);
  }

  /** What is to be dumped, since the last call: all buffers, or those of the cpu of a thread. */
  takeDump(): { readonly tid: number | undefined } | undefined {
    const isAll = this.word(this.start + SHARED.DUMP) !== 0;
    const tid = this.word(this.start + SHARED.DUMP_CPU);
    if (!isAll && tid === 0) return undefined;
    this.setLong(this.start + SHARED.DUMP, 0);
    return { tid: isAll ? undefined : tid };
  }

  word(address: number): number {
    return new DataView(this.#memory.read(address, 4).buffer).getUint32(0, true);
  }

  long(address: number): number {
    return Number(new DataView(this.#memory.read(address, 8).buffer).getBigInt64(0, true));
  }

  setWord(address: number, value: number): void {
    this.#memory.write(address, new Uint8Array(Uint32Array.of(value).buffer));
  }

  setLong(address: number, value: number | bigint): void {
    this.#memory.write(address, longBytes(value));
  }

  setBytes(address: number, bytes: Uint8Array): void {
    this.#memory.write(address, bytes);
  }
}
