import { type AddressRange, isWithin } from '../process/address-range.js';
import { processMaps } from '../process/process-maps.js';
import type { ProcessMemory } from '../process/process-memory.js';
import { StackWords } from '../process/stack-words.js';
import type { StoppedThread } from '../process/stop.js';
import type { NativeArena } from './native-arena.js';

/** Bytes of a stack that are looked at. A stack pointer may be in a region that has many stacks. */
const DEEPEST = 2 ** 26;

/** What open calls are looked for in. */
export interface StacksMemory {
  readonly memory: ProcessMemory;
  readonly arena: NativeArena;
  /** Where fentry's code is: a thread in it is about to enter a function, or runs instructions of one. */
  readonly codeAreas: () => readonly AddressRange[];
  /** Which thread has which block of the arena. */
  readonly owners: () => readonly { readonly tid: number; readonly block: number }[];
}

/**
 * Those of some stopped threads that have a call of code open (klp_check_stack): they are in it, or a word on their stack or a return address that
 * is kept for them is an address of it.
 */
export function threadsInside(
  { memory, arena, codeAreas, owners }: StacksMemory,
  threads: readonly StoppedThread[],
  code: readonly AddressRange[],
): readonly StoppedThread[] {
  const all = {
    start: code.reduce((least, { start }) => Math.min(least, start), Infinity),
    end: code.reduce((most, { end }) => Math.max(most, end), 0),
  };
  const maps = processMaps(memory.pid);
  const areas = codeAreas();
  const blocks = owners();
  return threads.filter((thread) => {
    const { tid, pc } = thread;
    if (isWithin(pc, areas) || isWithin(pc, code)) return true;
    // What is below a stack pointer is left from calls that have ended.
    const words = new StackWords(memory, [thread], all, { depth: DEEPEST, below: 0, maps });
    const kept = blocks.filter((owner) => owner.tid === tid).flatMap(({ block }) => arena.returnAddresses(block));
    return kept.some((one) => isWithin(one, code)) || code.some(({ start, end }) => words.hasBetween(start - 1, end));
  });
}
