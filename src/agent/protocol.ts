import type { EarlyScript, EarlyText } from '../arch/v8/breakpoints/early-text.js';
import type { LinkEvent } from '../arch/v8/loader/link-event.js';
import type { Errno } from '../base/errno.js';
import type { Patches } from '../ftrace/plan.js';
import type { SubscriberRequest } from '../ftrace/register.js';
import type { TraceClock } from '../ring-buffer/index.js';
import type { LinkedFunctions } from '../tracers/runtime.js';
import type { ServiceKind } from '../tracers/services.js';
import type { TracerConfig } from '../tracers/tracer-config.js';

/**
 * The messages between the control thread and the program threads. Each thread has one BroadcastChannel with the control
 * thread, since a worker gets a channel by its name alone, and since a channel can be read without an event loop.
 */

/** The pid lists of an instance, for threads whose tasks are async contexts. */
export interface TaskPids {
  /** set_ftrace_pid; undefined: every task. */
  readonly pids: readonly number[] | undefined;
  /** set_ftrace_notrace_pid; undefined: none. */
  readonly notrace: readonly number[] | undefined;
  /** function-fork: what a listed task starts is listed too, and a task leaves the list when it has ended. */
  readonly follow: boolean;
}

/** The tasks that an instance's lists hold now. */
export interface ListedTasks {
  /** Which instance, as the control thread numbers those that have lists. */
  readonly slot: number;
  readonly pids: readonly number[];
  readonly notrace: readonly number[];
}

/** How a sampler of the hwlat tracer is to look for gaps. */
export interface SampleRequest {
  readonly widthUs: number;
  readonly thresholdUs: number;
  /** The memory of the instance's MaxLatency. */
  readonly max: SharedArrayBuffer;
}

/** What the control thread tells a program thread. `seq` grows by one a command; the thread acknowledges it. */
export type ThreadCommand = { readonly seq: number } & (
  | /** The control thread listens from now on. */ { readonly type: 'hello' }
  /** The thread's buffer in an instance; 0 is the top level. */
  | {
      readonly type: 'buffer';
      readonly instance: number;
      readonly buffer: SharedArrayBuffer;
      /** The instance's InstanceSwitch. */
      readonly words: SharedArrayBuffer;
    }
  /** The memory that the buffer goes on in when a snapshot is taken; none: none may be taken any more. */
  | { readonly type: 'spare'; readonly instance: number; readonly buffer?: SharedArrayBuffer }
  /** A snapshot was taken. */
  | { readonly type: 'snapshot'; readonly instance: number }
  /** The buffer moves to another memory, with what is in it. */
  | { readonly type: 'resize'; readonly instance: number; readonly half: number; readonly buffer: SharedArrayBuffer }
  /** The times of an instance's records are another clock's from now on. */
  | { readonly type: 'clock'; readonly instance: number; readonly clock: TraceClock }
  /** The functions of a text; comes before the first patch of any of them. */
  | { readonly type: 'functions'; readonly functions: LinkedFunctions }
  | { readonly type: 'tracer'; readonly config: TracerConfig }
  /** The same in an instance, whose tracer is called by the sites with bit `ops`. */
  | { readonly type: 'instanceTracer'; readonly instance: number; readonly ops: number; readonly config: TracerConfig }
  /** An instance is gone: its buffer is let go. */
  | { readonly type: 'removeInstance'; readonly instance: number }
  /** A service begins or goes on under another configuration; without one it ends. */
  | { readonly type: 'service'; readonly kind: ServiceKind; readonly config?: unknown }
  /** Async contexts are the thread's tasks from now on, with their types in this memory; without: the thread itself is. */
  | { readonly type: 'tasks'; readonly memory?: SharedArrayBuffer }
  | { readonly type: 'taskPids'; readonly slot: number; readonly lists?: TaskPids }
  /** Tell of the lists of these slots. */
  | { readonly type: 'askTasks'; readonly slots: readonly number[] }
  /** Spin, and look for gaps. */
  | ({ readonly type: 'sample' } & SampleRequest)
  | { readonly type: 'patch'; readonly patches: Patches }
  /** Breakpoints may be put into this text; comes before the first patch of its functions. */
  | { readonly type: 'early'; readonly text: EarlyText }
  /** The source of a script is asked for. */
  | { readonly type: 'source'; readonly scriptId: string }
  /** The thread is to be as it was before fentry came to it. */
  | { readonly type: 'detach' }
  /** The answer to a call, when all that follows from it was sent before; with an error when it was refused. */
  | { readonly type: 'answer'; readonly call: number; readonly error?: { readonly errno: Errno; readonly message: string } }
);

/**
 * Goes to a thread that told of a `slice`: its event loop has turned since. No command, as it waits for the one that the
 * thread is in the midst of.
 */
export interface NextSlice {
  readonly type: 'next slice';
  /** Number of the slice that is over. */
  readonly slice: number;
}

/** What a program thread tells the control thread. */
export type ThreadEvent =
  | { readonly type: 'ack'; readonly seq: number; readonly error?: string }
  /** The time is over that one turn may spend on patching; the thread continues when it gets NextSlice. */
  | { readonly type: 'slice'; readonly slice: number }
  /** A text was linked for which the thread's TextLog has no room; the thread waits for its patches when WORD.LINK_WAITS is set. */
  | { readonly type: 'link'; readonly link: LinkEvent }
  /** Texts in the thread's TextLog are to be taken at once. The first one of a thread that did not start the control thread has the log. */
  | { readonly type: 'texts'; readonly memory?: SharedArrayBuffer }
  /** Plan for a subscriber of this thread, anew when its id is known; answered. */
  | { readonly type: 'subscribe'; readonly call: number; readonly request: SubscriberRequest }
  | { readonly type: 'unsubscribe'; readonly call: number; readonly id: number }
  | { readonly type: 'tasks'; readonly lists: readonly ListedTasks[] }
  /** A mark of a thread that has no buffer yet. */
  | { readonly type: 'mark'; readonly text: Uint8Array }
  | { readonly type: 'raw mark'; readonly bytes: Uint8Array }
  /** A task that is no thread was seen. */
  | { readonly type: 'task'; readonly pid: number; readonly comm: string }
  /** Dump all buffers, or those of one cpu; the thread waits for WORD.DUMPS_DONE. */
  | { readonly type: 'dump'; readonly cpu: number | undefined }
  /** The thread has started a worker, which nothing gives an agent. */
  | { readonly type: 'worker'; readonly threadId: number }
  /** What the thread had loaded before fentry came to it. */
  | { readonly type: 'scripts'; readonly scripts: readonly EarlyScript[] }
  | { readonly type: 'source'; readonly scriptId: string; readonly source: string }
  /** The breakpoints of function `n` were hit too often. */
  | { readonly type: 'overheated'; readonly n: number }
  /** Function `n` could not be given any. */
  | { readonly type: 'unreached'; readonly n: number }
  | { readonly type: 'end' };

/** The name of the channel between the control thread and the thread on `cpu`, of the process with this `nonce`. */
export const channelName = (nonce: string, cpu: number): string => `fentry-${nonce}-${cpu}`;
/** The channel on which a thread says its cpu when it starts, so that the control thread connects to it. */
export const hallName = (nonce: string): string => `fentry-${nonce}`;

/** The channel on which a worker asks for the ProcessShare, where fentry came late. */
export const shareName = (nonce: string): string => `fentry-${nonce}-share`;

/** What every thread of the process must know; workers get it as environment data. */
export interface ProcessShare {
  readonly nonce: string;
  readonly block: SharedArrayBuffer;
  /** The InstanceSwitch of the top level. */
  readonly topSwitch: SharedArrayBuffer;
  /** The loader's link table. */
  readonly links: SharedArrayBuffer;
  /** Id of the thread that starts the worker. */
  readonly parent?: number;
}
/** The key of the ProcessShare in the environment data of worker_threads. */
export const SHARE_KEY = 'fentry';
