import type { AllocationsAnswer, AllocationsRequest } from '../answers/allocations/allocations-answer.js';
import type { BtAnswer, BtRequest } from '../answers/bt/bt-answer.js';
import { joinNative } from '../answers/bt/join-native.js';
import type { HandlesAnswer, HandlesRequest } from '../answers/handles/handles-answer.js';
import type { HeapAnswer, HeapRequest } from '../answers/heap/heap-answer.js';
import type { SlowTurn } from '../answers/slow/slow-answer.js';
import type { WaitingAnswer, WaitingRequest } from '../answers/waiting/waiting-answer.js';
import { asTraceError } from '../base/errno.js';
import { threadId } from '../base/thread-id.js';
import type { Inspect, StackLook, TurnWatching } from './inspect.js';

/** An answer with the machine code on the stacks; what cannot be read of it is said. @param except threads that are left out */
export async function withStacks(
  begin: () => StackLook,
  except: readonly number[],
  ask: () => Promise<BtAnswer>,
): Promise<BtAnswer> {
  let look: StackLook | undefined;
  let refused: unknown;
  try {
    look = begin();
    await look.ready;
  } catch (error) {
    refused = error;
  }
  try {
    const answer = await ask();
    return look === undefined ? withRefusal(answer, refused) : await joined(answer, look, except);
  } finally {
    look?.stop();
  }
}

const joined = (answer: BtAnswer, look: StackLook, except: readonly number[]): Promise<BtAnswer> =>
  look.read(except).then(
    (stacks) => joinNative(answer, stacks),
    (error) => withRefusal(answer, error),
  );

function withRefusal(answer: BtAnswer, error: unknown): BtAnswer {
  const { errno, message } = asTraceError(error);
  const words = `The machine code of stacks is not shown: ${errno}: ${message}.`;
  return { ...answer, note: answer.note === undefined ? words : `${answer.note} ${words}` };
}

/** What a port to JavaScript answers, with the machine code that the port to that beside it sees. */
export class JoinedInspect implements Inspect {
  readonly #script: Inspect;
  readonly #begin: () => StackLook;

  constructor(script: Inspect, begin: () => StackLook) {
    this.#script = script;
    this.#begin = begin;
  }

  bt(request: BtRequest): Promise<BtAnswer> {
    return withStacks(this.#begin, [threadId()], () => this.#script.bt(request));
  }

  waiting(request: WaitingRequest): Promise<WaitingAnswer> {
    return this.#script.waiting(request);
  }

  watchTurns(thresholdMs: number, found: (turn: SlowTurn) => void): TurnWatching {
    return this.#script.watchTurns(thresholdMs, found);
  }

  handles(request: HandlesRequest): Promise<HandlesAnswer> {
    return this.#script.handles(request);
  }

  allocations(request: AllocationsRequest, closed: AbortSignal): Promise<AllocationsAnswer> {
    return this.#script.allocations(request, closed);
  }

  heap(request: HeapRequest, closed: AbortSignal): Promise<HeapAnswer> {
    return this.#script.heap(request, closed);
  }
}
