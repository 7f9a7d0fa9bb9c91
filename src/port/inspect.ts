import type { BtAnswer, BtRequest } from '../answers/bt/bt-answer.js';
import type { WaitingAnswer, WaitingRequest } from '../answers/waiting/waiting-answer.js';

/**
 * What only a port to JavaScript can ask of its threads while they run: a method for each answer. Asking changes nothing in the
 * program, and takes a bounded time. Each may reject with a TraceError: ETIMEDOUT if no thread can be asked.
 */
export interface Inspect {
  /** What every thread does now; a thread that does not answer has what the system says of it. */
  bt(request: BtRequest): Promise<BtAnswer>;
  /** The suspended async calls of every thread. Each stands still for a snapshot of its heap. */
  waiting(request: WaitingRequest): Promise<WaitingAnswer>;
}
