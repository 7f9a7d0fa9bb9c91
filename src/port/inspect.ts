import type { AllocationsAnswer, AllocationsRequest } from '../answers/allocations/allocations-answer.js';
import type { BtAnswer, BtRequest, NativeStacks } from '../answers/bt/bt-answer.js';
import type { HandlesAnswer, HandlesRequest } from '../answers/handles/handles-answer.js';
import type { HeapAnswer, HeapRequest } from '../answers/heap/heap-answer.js';
import type { SlowTurn } from '../answers/slow/slow-answer.js';
import type { WaitingAnswer, WaitingRequest } from '../answers/waiting/waiting-answer.js';

/** A watch of turns of the event loop that goes on. */
export interface TurnWatching {
  /** Ends it: nothing is left in the threads. */
  stop(): void;
}

/** A look at the machine code on the stacks of a process's threads, which is being prepared. */
export interface StackLook {
  /** Resolves when they can be read at once. */
  readonly ready: Promise<void>;
  /**
   * The stacks as they are now. Each thread stands still for a moment.
   * @param except threads that are not looked at
   * @throws TraceError as the system does not let it in; EIO if it fails
   */
  read(except: readonly number[]): Promise<NativeStacks>;
  /** Gives it up. */
  stop(): void;
}

/**
 * What only a port to JavaScript can ask of its threads while they run: a method for each answer. Asking changes nothing in the
 * program, and takes a bounded time. Each may reject with a TraceError: ETIMEDOUT if no thread can be asked.
 */
export interface Inspect {
  /** What every thread does now; a thread that does not answer has what the system says of it. */
  bt(request: BtRequest): Promise<BtAnswer>;
  /** The suspended async calls of every thread. Each stands still for a snapshot of its heap. */
  waiting(request: WaitingRequest): Promise<WaitingAnswer>;

  /**
   * Watches the event loops of all threads, those that start later too, and calls `found` with each turn that took longer than so
   * many milliseconds, when it is over. One watch at a time.
   */
  watchTurns(thresholdMs: number, found: (turn: SlowTurn) => void): TurnWatching;
  /** What keeps each thread alive. Each stands still while its timers are looked for. */
  handles(request: HandlesRequest): Promise<HandlesAnswer>;
  /** What the threads allocate in some seconds. When `closed` is aborted nobody waits for it any more: EINTR. */
  allocations(request: AllocationsRequest, closed: AbortSignal): Promise<AllocationsAnswer>;
  /** Which objects become more in some seconds. Each thread stands still for two snapshots of its heap. `closed`: as above. */
  heap(request: HeapRequest, closed: AbortSignal): Promise<HeapAnswer>;
}
