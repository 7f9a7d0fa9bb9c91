import { attempt } from '../../../base/attempt.js';
import { processMaps } from './process-maps.js';
import type { ProcessMemory } from './process-memory.js';
import type { StoppedThread } from './stop.js';

/** Bytes from a stack pointer on in which the frame of a signal handler is looked for. */
const DEPTH = 256 * 1024;
/** Bytes below a stack pointer that code may use. */
const RED_ZONE = 128;
const WORD = 8;
const PAGE = 4096;

/** The words on the stacks of stopped threads: among them are the places where what signals have interrupted goes on. */
export class StackWords {
  readonly #stacks: readonly BigUint64Array[];

  constructor(memory: ProcessMemory, threads: readonly Pick<StoppedThread, 'sp'>[]) {
    const maps = processMaps(memory.pid);
    this.#stacks = threads.flatMap(({ sp }) => {
      const start = Math.ceil((sp - RED_ZONE) / WORD) * WORD;
      const range = maps.find((one) => start >= one.start && start < one.end);
      if (range === undefined) return [];
      const end = Math.min(range.end, Math.ceil((start + DEPTH) / PAGE) * PAGE);
      const bytes = attempt(() => memory.read(start, end - start));
      return bytes === undefined ? [] : [new BigUint64Array(bytes.buffer)];
    });
  }

  /** Whether any of them is an address between two others. */
  hasBetween(low: number, high: number): boolean {
    const [from, to] = [BigInt(low), BigInt(high)];
    return this.#stacks.some((words) => words.some((word) => word > from && word < to));
  }
}
