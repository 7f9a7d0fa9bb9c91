import { KLP, type KlpState, threadListBytes } from '../code/klp-state.js';
import { longBytes } from '../machine/long-bytes.js';
import type { AddressRange } from './address-range.js';
import type { ProcessMemory } from './process-memory.js';
import type { StoppedThread } from './stop.js';
import type { RegistersOf } from './thread-registers.js';
import { type InsideQuery, threadsInside } from './threads-inside.js';

/** A look at the threads of a stopped process for a live patch's transition. Plain data: another process may make it. */
export interface TransitionLook {
  /** What runs in the state that threads are to leave. */
  readonly calls: InsideQuery;
  /** The address of the patch's word. */
  readonly word: number;
  readonly target: KlpState;
  /** The ids of the threads that have not gone over; absent: they were not looked at yet. */
  readonly before?: readonly number[];
  /** Threads that have the target already. */
  readonly arrived: readonly number[];
  /** Memory of the process for a list of those that wait. */
  readonly list: AddressRange;
}

/** What a look has done. */
export interface Looked {
  /** The ids of the threads that have not gone over now; absent: there was no room for a list of them, and nothing was done. */
  readonly waiting?: readonly number[];
  /** The list is in use. */
  readonly isListed: boolean;
}

export const otherState = (state: KlpState): KlpState => (state === KLP.PATCHED ? KLP.UNPATCHED : KLP.PATCHED);

/**
 * Has those threads go over that can.
 * @param idOf the id by which a thread knows itself
 * @param registersOf where return addresses may be in registers
 */
export function lookAtTransition(
  memory: ProcessMemory,
  threads: readonly StoppedThread[],
  { calls, word, target, before, arrived, list }: TransitionLook,
  idOf: (tid: number) => number,
  registersOf?: RegistersOf,
): Looked {
  const candidates = threads.filter(({ tid }) => (before === undefined ? !arrived.includes(tid) : before.includes(tid)));
  const waiting = threadsInside(memory, candidates, calls, idOf, registersOf).map(({ tid }) => tid);
  if (waiting.length === 0) {
    memory.write(word, longBytes(target));
    return { waiting, isListed: false };
  }
  if (before !== undefined && waiting.length === before.length) return { waiting, isListed: false };
  const bytes = threadListBytes({ state: otherState(target), tids: waiting.map(idOf) });
  if (bytes.length > list.end - list.start) return { isListed: false };
  memory.write(list.start, bytes);
  memory.write(word, longBytes(list.start));
  return { waiting, isListed: true };
}
