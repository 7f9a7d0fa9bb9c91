import { KLP, type KlpState } from '../code/klp-state.js';
import { longBytes } from '../machine/long-bytes.js';
import type { AddressRange } from '../process/address-range.js';
import type { ProcessMemory } from '../process/process-memory.js';
import { threadIds } from '../process/tasks.js';
import type { InsideQuery } from '../process/threads-inside.js';
import { type Looked, otherState, type TransitionLook } from '../process/transition-look.js';

/** What a transition works with. */
export interface TransitionNeeds {
  readonly memory: ProcessMemory;
  /** Puts bytes where the process can read them, and leaves them there; returns their address. @throws TraceError ENOMEM */
  readonly put: (bytes: Uint8Array) => number;
  /** Where open calls of what runs in a state are looked for. */
  readonly callsOf: (state: KlpState) => InsideQuery;
}

const WORD = 4;
/** A list has room for so many threads more than there are when it is made. */
const MORE_THREADS = 64;

/**
 * The transition of a live patch (kernel/livepatch/transition.c): each thread goes over when it is seen without a call of the
 * code that it is to leave. Until then it goes on with that code in all functions of the patch, and all other threads run the
 * other one.
 */
export class LivepatchTransition {
  /** The address of the word that handlers read. */
  readonly word: number;
  readonly #needs: TransitionNeeds;
  #target: KlpState = KLP.UNPATCHED;
  /** The ids of the threads that have not gone over; undefined: they were not looked at yet. */
  #waiting: readonly number[] | undefined;
  /** Threads that have the new target already: they had not gone over to the one before. */
  #arrived: readonly number[] = [];
  /** Memory for the next list: one that was in use is never written again, because a thread may read it. */
  #list: AddressRange | undefined;

  constructor(needs: TransitionNeeds) {
    this.#needs = needs;
    this.word = needs.put(longBytes(KLP.UNPATCHED));
  }

  get isOver(): boolean {
    return this.#waiting?.length === 0;
  }

  /** Begins, or turns round the one that is not over (klp_reverse_transition). */
  begin(target: KlpState): void {
    this.#target = target;
    this.#arrived = this.#waiting ?? [];
    this.#waiting = undefined;
  }

  /** What is to be looked at, at the next stop. @throws TraceError ENOMEM */
  look(): TransitionLook {
    const before = this.#waiting;
    return {
      calls: this.#needs.callsOf(otherState(this.#target)),
      word: this.word,
      target: this.#target,
      arrived: this.#arrived,
      list: this.#room(before?.length ?? threadIds(this.#needs.memory.pid).length + MORE_THREADS),
      ...(before && { before }),
    };
  }

  looked({ waiting, isListed }: Looked): void {
    if (waiting === undefined) return;
    this.#waiting = waiting;
    if (isListed) this.#list = undefined;
  }

  /** All threads go over, whatever they run (klp_force_transition). */
  end(): void {
    this.#needs.memory.write(this.word, longBytes(this.#target));
    this.#waiting = [];
  }

  /** Memory for a list of so many threads. */
  #room(threads: number): AddressRange {
    // The state stands before them, and a zero behind.
    const bytes = (threads + 2) * WORD;
    if (this.#list !== undefined && this.#list.end - this.#list.start >= bytes) return this.#list;
    const start = this.#needs.put(new Uint8Array(bytes));
    this.#list = { start, end: start + bytes };
    return this.#list;
  }
}
