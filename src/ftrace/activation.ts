import type { ExitList } from './exit-lists.js';

/**
 * One run of an async function or generator: what its frame on the shadow stack comes back to after each suspension.
 * The site keeps it in place of a sync function's numeric token; the two never meet in one call, so both stay monomorphic.
 */
export class Activation {
  readonly fn: number;
  /** Bits of the ops that want to know of its end, as in Fgraph.wants. */
  wants: number;
  /** Who else does, while it is suspended: the list's number may become another's meanwhile. */
  exits: ExitList | undefined = undefined;
  /** Period in which it began; in another period it stays out of the graph. */
  readonly period: number;
  /** Number of the last change of ops when it began or was last looked at. */
  epoch: number;
  /** Depth of the activation's frame while it runs (1 for the outermost), 0 while it is suspended or done. */
  depth = 0;
  /** Whether the activation has ended, by its own exit or by an exception. */
  done = false;
  /** Whether it waits in places that have no site: the end of a job leaves its frame on the stack, and it has not ended. */
  waitsUnseen = false;
  /** Whether it was called where set_graph_notrace has function_graph record nothing, or begins such a place. */
  silent = false;
  /** When it was called, in nanoseconds; so are all times here. */
  readonly called: number;
  /** When its present stretch began. */
  resumed: number;
  /** When it was suspended last. */
  suspended: number;
  /** How long it slept in all. */
  slept: number;
  /** How long profiled functions inside it took, while it is suspended. */
  subtime: number;

  constructor(fn: number, wants: number, period: number, epoch: number, now: number) {
    this.fn = fn;
    this.wants = wants;
    this.period = period;
    this.epoch = epoch;
    this.called = now;
    this.resumed = now;
    this.suspended = now;
    this.slept = 0;
    this.subtime = 0;
  }
}
