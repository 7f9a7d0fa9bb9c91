import { createRequire } from 'node:module';
import type { ThreadEventsNeeds } from '../events/thread-events.js';
import type { Tracepoints } from '../events/tracepoints.js';
import type { SourceThread } from '../node-events/node-event-system.js';
import { commOfThread } from '../shared/comm-of-thread.js';

type NodeEvents = typeof import('../node-events/index.js');

/** What the events of a thread are made with. */
export interface EventNeedsOptions {
  readonly cpu: number;
  readonly tid: number;
  readonly tracepoints: Tracepoints;
}

/** Lets the events of a thread find what they need of it; Node's own events are loaded when one of them is first enabled. */
export function createEventNeeds({ cpu, tid, tracepoints }: EventNeedsOptions): ThreadEventsNeeds {
  let nodeEvents: NodeEvents | undefined;
  let comm: string | undefined;
  return {
    cpu,
    comm: () => (comm ??= commOfThread(tid)),
    addressOf: () => 0,
    tracepoints,
    load(system, trace) {
      nodeEvents ??= createRequire(import.meta.url)('./node-events.cjs') as NodeEvents;
      const thread: SourceThread = { cpu, tid, clock: trace.clock, pid: () => trace.pid };
      nodeEvents.loadNodeEvents(system, thread);
    },
  };
}
