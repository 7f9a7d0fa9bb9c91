import { createRequire } from 'node:module';
import { ownFileWorkState } from '../../../base/own-fs.js';
import { asyncContexts } from '../async/async-contexts.js';
import { listenToWakeups } from '../async/wakeups.js';
import type { ProbeBreakpoints } from '../breakpoints/probe-breakpoints.js';
import { eventTime } from '../events/event-time.js';
import type { ThreadEventsNeeds } from '../events/thread-events.js';
import type { Tracepoints } from '../events/tracepoints.js';
import type { SourceThread } from '../node-events/node-event-system.js';
import type { CallingFunction } from '../realm/calling-function.js';
import { standIns } from '../realm/lookalike.js';
import { watchProcess } from '../realm/process-events.js';
import { commOfThread } from '../shared/comm-of-thread.js';
import { type ControlBlock, cpuOfWorker } from '../shared/control-block.js';

type NodeEvents = typeof import('../node-events/index.js');

/** What the events of a thread are made with. */
export interface EventNeedsOptions {
  readonly cpu: number;
  readonly tid: number;
  readonly tracepoints: Tracepoints;
  readonly block: ControlBlock;
  readonly breakpoints: ProbeBreakpoints;
  readonly probeEnded: (id: number, why: string) => void;
  /** Made when an event first needs its caller. */
  readonly createCallingFunction: () => CallingFunction;
}

/** Lets the events of a thread find what they need of it; Node's own events are loaded when one of them is first enabled. */
export function createEventNeeds({
  cpu,
  tid,
  tracepoints,
  block,
  breakpoints,
  probeEnded,
  createCallingFunction,
}: EventNeedsOptions): ThreadEventsNeeds {
  let nodeEvents: NodeEvents | undefined;
  let calling: CallingFunction | undefined;
  const loaded = new Set<string>();
  let comm: string | undefined;
  return {
    cpu,
    comm: () => (comm ??= commOfThread(tid)),
    tracepoints,
    breakpoints,
    probeEnded,
    load(system, trace) {
      if (loaded.has(system)) return;
      loaded.add(system);
      if (nodeEvents === undefined) {
        nodeEvents = createRequire(import.meta.url)('./node-events.cjs') as NodeEvents;
        nodeEvents.shareStandIns(standIns());
        nodeEvents.shareOwnFileWork(ownFileWorkState());
      }
      const thread: SourceThread = {
        cpu,
        tid,
        clock: trace.clock,
        pid: () => trace.pid,
        caller: (callee) => (calling ??= createCallingFunction())(callee),
        cpuOf: (worker) => cpuOfWorker(block, worker),
        contexts: asyncContexts,
        listenToWakeups: (listener) => listenToWakeups(trace.clock, listener),
        watchProcess,
        eventTime,
      };
      nodeEvents.loadNodeEvents(system, thread);
    },
  };
}
