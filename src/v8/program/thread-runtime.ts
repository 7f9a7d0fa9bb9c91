import { say } from '../../base/say.js';
import { traceClock } from '../../ring-buffer/clock.js';
import { createLoopCallbacks } from '../async/loop-callbacks.js';
import { createLoopTurns } from '../async/loop-turns.js';
import { createWakeups } from '../async/wakeups.js';
import type { ProbeBreakpoints } from '../breakpoints/probe-breakpoints.js';
import type { Tracepoints } from '../events/tracepoints.js';
import { createAskingFunction, createCallingFunction } from '../realm/calling-function.js';
import { createFindCaller, type ForeignCallers } from '../realm/find-caller.js';
import { createFindPrinter } from '../realm/find-printer.js';
import { createFindPromiseMaker } from '../realm/find-promise-maker.js';
import { createFindRejection } from '../realm/find-rejection.js';
import type { Realm } from '../realm/realm.js';
import { StackPlaces } from '../realm/stack-places.js';
import { createWalkStack } from '../realm/walk-stack.js';
import type { ThreadEvent } from '../shared/protocol.js';
import { createStackDepth } from '../stack-depth.js';
import type { LatencyNeeds } from '../tracers/latency/latency-tracer.js';
import { TracerRuntime } from '../tracers/runtime.js';
import { NOT_CAUGHT } from '../tracers/thread-trace.js';
import type { AttachedCells } from './attached-cells.js';
import { createDiversionNeeds } from './diversion-needs.js';
import { dump } from './oops.js';
import type { ProgramInterface } from './program-interface.js';
import type { ProgramThread } from './program-thread.js';
import { createEventNeeds } from './thread-event-needs.js';

/** The address range of the names of the event loop's callbacks. */
const EVENT_LOOP = 'node:event_loop';

/** What the latency tracers of a thread are given. */
interface LatencyNeedsOptions {
  readonly cpu: number;
  readonly clock: () => number;
  readonly foreign: () => ForeignCallers;
  readonly tell: (event: ThreadEvent) => void;
}

/** Lets the latency tracers watch this thread's event loop; nothing is watched before one starts. */
function createLatencyNeeds({ cpu, clock, foreign, tell }: LatencyNeedsOptions): LatencyNeeds {
  return {
    cpu,
    turns: createLoopTurns(clock),
    callbacks: createLoopCallbacks(clock),
    wakeups: createWakeups(clock),
    addressOf: (name) => foreign()(EVENT_LOOP, name),
    nameTask: (pid, comm) => tell({ type: 'task', pid, comm }),
  };
}

/** What the tracers of a thread are made of. */
export interface TracerRuntimeNeeds {
  readonly thread: ProgramThread;
  readonly program: ProgramInterface;
  readonly tid: number;
  readonly tracepoints: Tracepoints;
  readonly realm: Realm;
  /** The URL of the folder that fentry's own code was loaded from. */
  readonly fentryFolder: string;
  /** What reaches functions without sites, if it is there. */
  readonly attachedCells: AttachedCells | undefined;
  readonly breakpoints: ProbeBreakpoints;
  /** Gives functions that are not the program's an address; created when first needed. */
  readonly foreign: () => ForeignCallers;
}

/** Creates the tracers of a JavaScript thread. */
export function createThreadRuntime({
  thread,
  program,
  tid,
  tracepoints,
  realm,
  fentryFolder,
  attachedCells,
  breakpoints,
  foreign,
}: TracerRuntimeNeeds): TracerRuntime {
  const inCondition = (): boolean => breakpoints.isHitting || attachedCells?.isHitting === true;
  return new TracerRuntime({
    cells: attachedCells ?? realm.cells,
    clock: traceClock,
    createFindCaller: () => {
      const find = createFindCaller(realm.texts, foreign());
      return breakpoints.findCaller(attachedCells?.findCaller(find) ?? find);
    },
    events: createEventNeeds({
      cpu: thread.cpu,
      tid,
      tracepoints,
      tasks: thread.tasks,
      declare: (event) => thread.declared(event, true),
      printk: (record, ts) => thread.printk(record, ts),
      block: thread.block,
      breakpoints,
      statementCells: realm.cells,
      probeEnded: (event, why) => thread.tell({ type: 'probe ended', event, why }),
      foreign,
      createCallingFunction: () => createCallingFunction(realm.texts, foreign()),
      createAskingFunction: () => createAskingFunction(realm.texts, foreign()),
      createFindRejection: () => createFindRejection(realm.texts, foreign()),
      createFindPromiseMaker: () => createFindPromiseMaker(realm.texts, foreign()),
      texts: realm.texts,
    }),
    latency: createLatencyNeeds({ cpu: thread.cpu, clock: traceClock, foreign, tell: (event) => thread.tell(event) }),
    createStackDepth,
    createFindPrinter: (walkStack) => createFindPrinter(realm.texts, { addressOfForeign: foreign(), walkStack, inCondition }),
    createWalkStack: () =>
      createWalkStack(realm.texts, {
        addressOfForeign: foreign(),
        places: new StackPlaces((places) => thread.tell({ type: 'stack places', places })),
        inCondition,
      }),
    diversions: createDiversionNeeds({ thread, program, fentryFolder, texts: realm.texts }),
    isOver: () => thread.isSliceOver,
    dump: (ownCpuOnly) => dump(thread, ownCpuOnly),
    tid,
    subscriberFailed(_id, ops, error) {
      program.registry.failed(ops);
      say(`a subscriber threw and is not called any more: ${(error as Error)?.stack ?? error}`);
    },
    onUncaught,
  });
}

/** Calls `clear` with what nothing has caught; what a promise was rejected with ended no call that is still open. */
function onUncaught(clear: (error: unknown) => void): () => void {
  const heard = (error: unknown, origin: NodeJS.UncaughtExceptionOrigin): void =>
    clear(origin === 'uncaughtException' ? error : NOT_CAUGHT);
  process.on('uncaughtExceptionMonitor', heard);
  return () => process.off('uncaughtExceptionMonitor', heard);
}
