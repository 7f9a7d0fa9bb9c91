import { createLoopCallbacks } from '../async/loop-callbacks.js';
import { createLoopTurns } from '../async/loop-turns.js';
import { createWakeups } from '../async/wakeups.js';
import type { AddressOfForeign } from '../realm/find-caller.js';
import type { ThreadEvent } from '../shared/protocol.js';
import type { LatencyNeeds } from '../tracers/latency/latency-tracer.js';

/** The address range of the names of the event loop's callbacks. */
const EVENT_LOOP = 'node:event_loop';

/** What the latency tracers of a thread are given. */
export interface LatencyNeedsOptions {
  readonly cpu: number;
  readonly clock: () => number;
  readonly foreign: () => AddressOfForeign;
  readonly tell: (event: ThreadEvent) => void;
}

/** Lets the latency tracers watch this thread's event loop; nothing is watched before one starts. */
export function createLatencyNeeds({ cpu, clock, foreign, tell }: LatencyNeedsOptions): LatencyNeeds {
  return {
    cpu,
    turns: createLoopTurns(clock),
    callbacks: createLoopCallbacks(clock),
    wakeups: createWakeups(clock),
    addressOf: (name) => foreign()(EVENT_LOOP, name),
    nameTask: (pid, comm) => tell({ type: 'task', pid, comm }),
  };
}
