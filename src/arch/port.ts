import type { Errno } from '../base/errno.js';
import type { Patches } from '../ftrace/plan.js';
import type { SubscriberRequest } from '../ftrace/register.js';
import type { TraceClock } from '../ring-buffer/index.js';
import type { ServiceKind } from '../tracers/services.js';
import type { TracerConfig } from '../tracers/tracer-config.js';
import type { LinkedText } from './arch.js';

/**
 * The contract between the control side, which decides what is traced, and a port, which knows one kind of program text and the
 * threads that run it. A port is chosen where a process is put together, and nowhere else.
 */

/** The pid lists of an instance, for threads whose tasks are not the threads themselves. */
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
  /** Which instance, as the control side numbers those that have lists. */
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

/** What a thread's tracers must know of the functions of a text. */
export interface LinkedFunctions {
  readonly firstFunction: number;
  /** The low 32 bits of each function's address. */
  readonly addresses: Uint32Array;
  /** What each function is to the port: `TextFunction.kind`. */
  readonly kinds: Uint8Array;
}

/** What the control side tells a thread. Threads obey in the order in which they are told. */
export type PortCommand =
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
  /** What the thread runs one after the other are its tasks from now on, with their types in this memory; without: the thread itself is. */
  | { readonly type: 'tasks'; readonly memory?: SharedArrayBuffer }
  | { readonly type: 'taskPids'; readonly slot: number; readonly lists?: TaskPids }
  /** Tell of the lists of these slots. */
  | { readonly type: 'askTasks'; readonly slots: readonly number[] }
  /** Spin, and look for gaps. */
  | ({ readonly type: 'sample' } & SampleRequest)
  | { readonly type: 'patch'; readonly patches: Patches }
  /** The thread is to be as it was before fentry came to it. */
  | { readonly type: 'detach' }
  /** The answer to a call, when all that follows from it was sent before; with an error when it was refused. */
  | { readonly type: 'answer'; readonly call: number; readonly error?: { readonly errno: Errno; readonly message: string } };

/** What a thread tells the control side. */
export type PortEvent =
  /** Plan for a subscriber of this thread, anew when its id is known; answered. */
  | { readonly type: 'subscribe'; readonly call: number; readonly request: SubscriberRequest }
  | { readonly type: 'unsubscribe'; readonly call: number; readonly id: number }
  | { readonly type: 'tasks'; readonly lists: readonly ListedTasks[] }
  /** A mark of a thread that has no buffer yet. */
  | { readonly type: 'mark'; readonly text: Uint8Array }
  | { readonly type: 'raw mark'; readonly bytes: Uint8Array }
  /** A task that is no thread was seen. */
  | { readonly type: 'task'; readonly pid: number; readonly comm: string }
  /** Dump all buffers, or those of one cpu, before this returns. */
  | { readonly type: 'dump'; readonly cpu: number | undefined }
  /** The breakpoints of function `n` were hit too often. */
  | { readonly type: 'overheated'; readonly n: number }
  /** Function `n` could not be reached; why, as a sentence. */
  | { readonly type: 'unreached'; readonly n: number; readonly why: string }
  /** The thread has run its last code. */
  | { readonly type: 'end' };

/** A thread that runs the text: a cpu of the trace. */
export interface TracedThread {
  readonly cpu: number;
  /** Its id at the operating system: pid of its records. */
  readonly tid: number;
  /** The same of the thread that started it. */
  readonly parent: number;
  /** Its name, as saved_cmdlines shows it. */
  readonly comm: string;
  /** Tells the thread something that nobody waits for. */
  post(command: PortCommand): void;
  /** Tells it, and resolves when it has obeyed, has ended, or cannot be reached for now. */
  send(command: PortCommand): Promise<void>;
  /**
   * Resolves when the thread has obeyed all that it was told, or has ended; or, after a bounded time, to what keeps it from obeying:
   * words that follow "the thread". It obeys when that is over.
   */
  settled(): Promise<string | undefined>;
  /** It has not obeyed everything that it was told since it was last heard of; false for one that does not answer. */
  readonly isBehind: boolean;
}

/** What is known of a text as soon as a thread has linked it. */
export interface TextAnnouncement {
  readonly firstFunction: number;
  /** Its functions have the numbers firstFunction, firstFunction + 1, ... */
  readonly functionCount: number;
  /** Decodes what it holds: when somebody asks, as an untraced process is to pay for the announcement alone. */
  read(): LinkedText;
}

export interface AnnouncedText {
  readonly thread: TracedThread;
  readonly link: TextAnnouncement;
}

/** Texts, as threads announced them. */
export interface TextAnnouncements {
  /** Those that were announced since the last call. */
  take(): readonly AnnouncedText[];
  /** The patches of one text of a thread are sent, if it needs any: the thread may be waiting for that. */
  done(thread: TracedThread): void;
}

/** What threads look at by themselves, whatever they are doing: numbers, 0 at the start. */
export const THREAD_FLAGS = ['links-wait', 'patch-at-once', 'ftrace_dump_on_oops', 'traceoff_on_warning'] as const;
export type ThreadFlag = (typeof THREAD_FLAGS)[number];
export interface ThreadFlags {
  get(flag: ThreadFlag): number;
  set(flag: ThreadFlag, value: number): void;
}

/** The threads of the process. */
export interface TracedThreads {
  /** Those that live, by cpu. */
  readonly living: readonly TracedThread[];
  get(cpu: number): TracedThread | undefined;
  /** Whether a task is a thread of the process. */
  isThread(tid: number): boolean;
  /** Connects to those that run already and, from now on, to new ones: each waits for that before it runs a text that must be patched first. */
  start(): void;
  /** Looks for those that came or went. */
  look(): void;
}

/** Told of the threads' lives. */
export interface PortListener {
  /** A thread started; nothing that it tells has been received yet. */
  started(thread: TracedThread): void;
  ended(thread: TracedThread): void;
  /** `TextAnnouncements.take` has something that must not wait. */
  announced(): void;
  /** Threads linked texts that `TextAnnouncements` had no room for. */
  linked(texts: readonly AnnouncedText[]): void;
  /** A thread had linked a text before fentry came. `isReached`: it can be patched, at a price. */
  linkedEarly(text: AnnouncedText, isReached: boolean): void;
  told(thread: TracedThread, event: PortEvent): void;
}

/** A process and its text, as the control side sees them. */
export interface Port {
  readonly threads: TracedThreads;
  readonly flags: ThreadFlags;
  readonly announcements: TextAnnouncements;
  /** The top level's InstanceSwitch, which threads have from their start. */
  readonly topSwitch: SharedArrayBuffer;
  /** What the trace clock `counter` has counted. */
  readonly counter: BigInt64Array;
  /** Whether a thread can tell how deep its stack is. */
  canMeasureStacks(): boolean;
  /** Resolves when the texts are announced that ran before fentry came, after `obeyed` of what that asks of threads. */
  earlyTexts(obeyed: () => Promise<void>): Promise<void>;
}

/** Makes the port of a process. */
export type CreatePort = (listener: PortListener) => Port;
