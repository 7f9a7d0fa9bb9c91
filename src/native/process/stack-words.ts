import { attempt } from '../../base/attempt.js';
import { upToPage } from '../../base/page.js';
import { processMachine } from '../machines/process-machine.js';
import { type AddressRange, isWithin } from './address-range.js';
import { type MappedRange, processMaps } from './process-maps.js';
import type { ProcessMemory } from './process-memory.js';
import type { StoppedThread } from './stop.js';

/** Bytes from a stack pointer on in which the frame of a signal handler is looked for. */
const HANDLER_DEPTH = 256 * 1024;
/** Bytes below a stack pointer that code may use. */
const RED_ZONE = 128;
const WORD = 8;
const TWO_32 = 2 ** 32;
const NOTHING: AddressRange = { start: 0, end: 0 };
/** What counts of a word's upper half: return addresses in registers may be signed before they are put on the stack. */
const UPPER = processMachine.hasLinkRegister ? 0xffff : 0xffffffff;

/** What is looked at of each stack: so many bytes from the stack pointer on, and so many below it. */
export interface StackPart {
  readonly depth: number;
  readonly below: number;
  /** The maps of the process, if they are known. */
  readonly maps?: readonly MappedRange[];
  /** Memory of which nothing is looked at; absent: there is none. */
  readonly dead?: AddressRange | undefined;
}

/**
 * The words on the stacks of stopped threads that are addresses in a range: among them is where what signals have interrupted
 * goes on.
 */
export class StackWords {
  readonly #words: readonly number[];

  constructor(
    memory: ProcessMemory,
    threads: readonly Pick<StoppedThread, 'sp'>[],
    { start, end }: AddressRange,
    { depth, below, maps = processMaps(memory.pid), dead = NOTHING }: StackPart = { depth: HANDLER_DEPTH, below: RED_ZONE },
  ) {
    const found = new Set<number>();
    for (const { sp } of threads) {
      const first = Math.ceil((sp - below) / WORD) * WORD;
      const words = stackFrom(memory, maps, first, depth);
      for (let i = 0; i < words.length; i += 2) {
        const word = ((words[i + 1]! & UPPER) >>> 0) * TWO_32 + words[i]!;
        if (word >= start && word < end && !isWithin(first + i * 4, [dead])) found.add(word);
      }
    }
    this.#words = [...found];
  }

  /** Whether any of them is between two addresses. */
  hasBetween(low: number, high: number): boolean {
    return this.#words.some((word) => word > low && word < high);
  }
}

/** The stack from an address on, in words of 32 bits. */
function stackFrom(memory: ProcessMemory, maps: readonly MappedRange[], start: number, depth: number): Uint32Array {
  const range = maps.find((one) => isWithin(start, [one]));
  if (range === undefined) return new Uint32Array(0);
  const end = Math.min(range.end, upToPage(start + depth));
  const bytes = attempt(() => memory.read(start, end - start));
  return bytes === undefined ? new Uint32Array(0) : new Uint32Array(bytes.buffer);
}
