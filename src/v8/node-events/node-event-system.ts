import { say } from '../../base/say.js';
import type { EventName } from '../../events/set-event-word.js';
import { type TraceEventOptions, traceEvent } from '../../tracepoint/trace-event.js';
import type { Tracepoint } from '../../tracepoint/tracepoint.js';
import type { ThreadContexts } from '../async/thread-contexts.js';
import type { WakeupListener } from '../async/wakeups.js';
import type { EventCall } from '../events/event-call.js';
import type { EventTasks } from '../events/event-tasks.js';
import type { EventTime } from '../events/event-time.js';
import type { Tracepoints } from '../events/tracepoints.js';
import type { AskingFunction, CallingFunction } from '../realm/calling-function.js';
import type { FindPromiseMaker } from '../realm/find-promise-maker.js';
import type { FindRejection } from '../realm/find-rejection.js';
import type { ProcessEventWatcher } from '../realm/process-events.js';
import type { Texts } from '../realm/texts.js';
import type { Undo } from '../realm/undo.js';
import type { CatchListener } from '../tracers/catches.js';

/** The declaration of one of Node's own events. `T` are the arguments of its tracepoint. */
export type NodeEvent<T extends readonly unknown[]> = Pick<TraceEventOptions<T>, 'args' | 'fields' | 'print'> & {
  /** Some of its arguments are functions of the program. */
  readonly takesFunctions?: true;
};

/** What sources may ask of the thread that they run on. */
export interface SourceThread {
  readonly cpu: number;
  /** The thread's id at the operating system. */
  readonly tid: number;
  /** Nanoseconds of the trace clock. */
  readonly clock: () => number;
  /** The pid of the task that runs: the thread, or with async-context the async context. */
  readonly pid: () => number;
  /**
   * The function that makes happen what is being recorded: an address inside it, for a field made by `symbol`; 0 if it is not
   * known. With the function that a source has put in the place of Node's: undefined if fentry itself called it
   * (realm/calling-function.ts).
   */
  readonly caller: CallingFunction;
  /** The function of the program that has asked Node for what is being recorded, as `caller`. */
  readonly asker: AskingFunction;
  /** Who has rejected a promise, when Node is told of that. */
  readonly rejection: FindRejection;
  readonly promiseMaker: FindPromiseMaker;
  /** The cpu of a worker, by Node's number of it; before it has one, the lowest that is free. */
  readonly cpuOf: (worker: number) => number;
  /** The thread's async contexts. */
  readonly contexts: ThreadContexts;
  /** Hears of contexts that become ready to run, until what it returns is called. */
  readonly listenToWakeups: (listener: WakeupListener) => Undo;
  /** Hears of the events of `process`, until what it returns is called. */
  readonly watchProcess: (watcher: ProcessEventWatcher) => Undo;
  /** Hears of what a `catch` of the program takes, until what it returns is called. */
  readonly listenToCatches: (listener: CatchListener) => Undo;
  /** The texts with sites that the thread has loaded. */
  readonly texts: Texts;
  /** Set around the call of a tracepoint for what happened earlier. */
  readonly eventTime: EventTime;
  /** Set around the call of a tracepoint that is about a system call. */
  readonly eventCall: EventCall;
  /** The next tracepoint of this name is that of an event whose fields come with its first record. */
  readonly setOpen: Tracepoints['setOpen'];
  /**
   * Gives such an event the fields of its first record, unless another thread was faster. Returns when the event is recorded so
   * on this thread, or when that must wait.
   */
  readonly giveFields: (event: Pick<TraceEventOptions<never>, 'fields' | 'print'> & EventName) => void;
  /** An event cannot be recorded. */
  readonly missed: () => void;
  /** Set around the call of a tracepoint that is about tasks other than the one that runs. */
  readonly eventTasks: EventTasks;
}

/** The tracepoints of a system, by the names of its events. */
export type TracepointsOf<E extends Record<string, readonly unknown[]>> = { readonly [N in keyof E]: Tracepoint<E[N]> };

/** What makes some events of a system happen. */
export interface NodeEventSource<E extends Record<string, readonly unknown[]>> {
  /** The names of its events. */
  readonly events: readonly (keyof E & string)[];
  /**
   * Begins, when the first of its events gets a probe.
   * @returns called when the last of them has lost its last probe: takes everything back, so that no trace of it is left
   */
  readonly start: (trace: TracepointsOf<E>, thread: SourceThread) => () => void;
}

/** What a system is made of. */
export interface NodeEventParts<E extends Record<string, readonly unknown[]>> {
  readonly events: { readonly [N in keyof E]: NodeEvent<E[N]> };
  readonly sources: readonly NodeEventSource<E>[];
  readonly meet?: NonNullable<NodeEventSystem['meet']>;
}

/** One system of Node's own events: a folder of events/. */
export interface NodeEventSystem {
  readonly system: string;
  readonly events: Readonly<Record<string, Pick<NodeEvent<never>, 'args' | 'fields' | 'print' | 'takesFunctions'>>>;
  /** Declares its tracepoints in a thread of the program; they switch the sources on and off. */
  declare(thread: SourceThread): void;
  /** Declares one that another thread has found; `source` is what it was found by. */
  meet?(thread: SourceThread, event: string, source: string): void;
}

/** What stops a source. One that cannot start, because the program has broken what it needs, records nothing. */
function started(start: () => () => void): () => void {
  try {
    return start();
  } catch (error) {
    say(`some of Node's events are not recorded: ${(error as Error | undefined)?.message}`);
    return () => {};
  }
}

/** Defines a system. `E`: the arguments of each event's tracepoint. */
export const nodeEventSystem = <E extends Record<string, readonly unknown[]>>(
  system: string,
  { events, sources, meet }: NodeEventParts<E>,
): NodeEventSystem => ({
  system,
  events: events as unknown as NodeEventSystem['events'],
  ...(meet && { meet }),
  declare(thread) {
    const trace: Record<string, unknown> = {};
    for (const source of sources) {
      let enabled = 0;
      let isDeclared = false;
      let stop: (() => void) | undefined;
      const update = (): void => {
        const isWanted = isDeclared && enabled > 0;
        if (isWanted && stop === undefined) stop = started(() => source.start(trace as unknown as TracepointsOf<E>, thread));
        if (isWanted || stop === undefined) return;
        stop();
        stop = undefined;
      };
      const count = (by: number) => (): void => {
        enabled += by;
        update();
      };
      const options = { onFirst: count(1), onLast: count(-1) };
      for (const name of source.events) trace[name] = traceEvent(system, name, { ...events[name], ...options });
      // A probe may be waiting: it was registered before the source's other tracepoints were there.
      isDeclared = true;
      update();
    }
  },
});
