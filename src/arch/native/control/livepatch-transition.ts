import { KLP, type KlpState, type ThreadList, threadListBytes } from '../code/livepatch-handler.js';
import { longBytes } from '../machine/long-bytes.js';
import type { ProcessMemory } from '../process/process-memory.js';
import type { StoppedThread } from '../process/stop.js';
import { idInside } from '../process/tasks.js';

/** What a transition works with. */
export interface TransitionMemory {
  readonly memory: ProcessMemory;
  /** Puts bytes where the process can read them, and leaves them there; returns their address. @throws TraceError ENOMEM */
  readonly put: (bytes: Uint8Array) => number;
  /** Those of some threads that have a call open of what runs in a state. */
  readonly inside: (threads: readonly StoppedThread[], state: KlpState) => readonly StoppedThread[];
}

const other = (state: KlpState): KlpState => (state === KLP.PATCHED ? KLP.UNPATCHED : KLP.PATCHED);

/**
 * The transition of a live patch (kernel/livepatch/transition.c): each thread goes over when it is seen without a call of the code that it is to leave.
 * Until then it goes on with that code in all functions of the patch, and all other threads run the other one.
 */
export class LivepatchTransition {
  /** The address of the word that handlers read. */
  readonly word: number;
  readonly #memory: TransitionMemory;
  #target: KlpState = KLP.UNPATCHED;
  /** The ids of the threads that have not gone over; undefined: they were not looked at yet. */
  #waiting: ReadonlySet<number> | undefined;
  /** Those that have the new target already: they had not gone over to the one before. */
  #arrived: ReadonlySet<number> = new Set();

  constructor(memory: TransitionMemory) {
    this.#memory = memory;
    this.word = memory.put(longBytes(KLP.UNPATCHED));
  }

  get isOver(): boolean {
    return this.#waiting?.size === 0;
  }

  /** Begins, or turns round the one that is not over (klp_reverse_transition). */
  begin(target: KlpState): void {
    this.#target = target;
    this.#arrived = this.#waiting ?? new Set();
    this.#waiting = undefined;
  }

  /** Looks where the threads of the stopped process stand, and has those go over that can. */
  look(threads: readonly StoppedThread[]): void {
    const { memory, inside, put } = this.#memory;
    const before = this.#waiting;
    const candidates = threads.filter(({ tid }) => (before === undefined ? !this.#arrived.has(tid) : before.has(tid)));
    const state = other(this.#target);
    const waiting = new Set(inside(candidates, state).map(({ tid }) => tid));
    if (waiting.size === 0) {
      this.end();
      return;
    }
    if (before === undefined || waiting.size < before.size) {
      const list: ThreadList = { state, tids: Array.from(waiting, (tid) => idInside(tid)) };
      this.#write(memory, put(threadListBytes(list)));
    }
    this.#waiting = waiting;
  }

  /** All threads go over, whatever they run (klp_force_transition). */
  end(): void {
    this.#write(this.#memory.memory, this.#target);
    this.#waiting = new Set();
  }

  #write(memory: ProcessMemory, value: number): void {
    memory.write(this.word, longBytes(value));
  }
}
