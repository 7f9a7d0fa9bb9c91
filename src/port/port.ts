import type { Errno } from '../base/errno.js';
import type { Refused } from '../base/refused.js';
import type { EventDefinition, TraceEvent } from '../events/define.js';
import type { EventConfig } from '../events/event-config.js';
import type { FieldSpecs } from '../events/fields.js';
import type { ProfileCounts } from '../ftrace/function-profile.js';
import type { FoundKprobe, KprobeRequest, KprobeState } from '../ftrace/kprobes/kprobe-planner.js';
import type { Patches } from '../ftrace/plan.js';
import type { SubscriberRequest } from '../ftrace/register.js';
import type { CodePlace, LinkedText, TextPart } from '../ftrace/text.js';
import type { LivepatchNews, LivepatchRequest, LivepatchState } from '../ftrace/tracers/diversions.js';
import type { PortFeature } from '../ftrace/tracers/features.js';
import type { ServiceKind } from '../ftrace/tracers/services.js';
import type { TracerConfig } from '../ftrace/tracers/tracer-config.js';
import type { Fetch, ProbeType } from '../probes/probe-definition.js';
import type { TimeStampClock, TraceClock } from '../ring-buffer/index.js';
import type { ScriptMemory, WriterMemory } from '../script/runtime/script-memory.js';
import type { ScriptCode } from '../script/script-code.js';
import type { Inspect } from './inspect.js';

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
  /** function-fork: a task that a listed task starts is listed too, and a task is removed from the list when it has ended. */
  readonly follow: boolean;
}

/** The present tasks of an instance's lists. */
export interface ListedTasks {
  /** The instance, by the control side's number for those that have lists. */
  readonly slot: number;
  readonly pids: readonly number[];
  readonly notrace: readonly number[];
}

/** The settings of a sampler of the hwlat tracer. */
export interface SampleRequest {
  readonly widthUs: number;
  readonly thresholdUs: number;
  /** The memory of the instance's MaxLatency. */
  readonly max: SharedArrayBuffer;
}

/** What a thread's tracers must know about the functions of a text. */
export interface LinkedFunctions {
  readonly firstFunction: number;
  /** Each function's address. */
  readonly addresses: Float64Array;
  /** What each function is to the port: `TextFunction.kind`. */
  readonly kinds: Uint8Array;
}

/** What an instance wants of an event, on a thread. */
export interface EventCommand {
  readonly instance: number;
  readonly event: TraceEvent;
  /** The memory of EventWords. */
  readonly memory: SharedArrayBuffer;
  /** Absent: nothing any more. */
  readonly config?: EventConfig;
}

/** An event that the program has declared. */
export interface EventDeclared {
  readonly system: string;
  readonly name: string;
  readonly fields: FieldSpecs;
  readonly print: string;
  /** The names of the arguments of its tracepoint. */
  readonly args?: readonly string[];
  /** Whether the event's first record says what fields it has: then it is declared again. */
  readonly isOpen?: boolean;
  readonly source?: string;
}

/** A tracepoint that the program has declared. */
export type TracepointDeclared = Required<Pick<EventDeclared, 'system' | 'name' | 'args'>>;

/** A function in which a probe stands, or is to stand. */
export interface ProbedFunction {
  readonly n: number;
  readonly address: number;
  /** TextFunction.kind */
  readonly kind: number;
}

/** A part of a function: from unit `from` of its text up to `to`, which is not part of it. */
export type PlaceRange = readonly [from: number, to: number];

/** A place in a function where a probe can stand. */
export interface ProbePlace {
  /** Units of the text from the function's start. */
  readonly offset: number;
  /** The place's line in the text as loaded, from 1, and its column, from 0. */
  readonly line: number;
  readonly column: number;
  /**
   * How a probe is put into machine code: by a jump, or where none fits by a breakpoint over one instruction. Absent: it is no
   * machine code.
   */
  readonly way?: 'jump' | 'breakpoint';
  /** Present if none can be there after all: the reason, as a sentence about the place. */
  readonly reason?: string;
}

/** Calls of machine code that a program thread makes, as the addon takes them (native/addon/addon-words.ts). */
export interface NativeCalls {
  readonly call: BigUint64Array;
  readonly counter: BigUint64Array;
  readonly isolate: BigUint64Array;
  readonly atEnd: BigUint64Array;
}

/** What a thread is told of a script, before the points of its handlers. */
export interface ScriptCommand {
  /** A number that no other script of the process ever has. */
  readonly script: number;
  readonly change:
    | { readonly type: 'begin'; readonly code: ScriptCode; readonly memory: ScriptMemory }
    /** Another thread has come. */
    | { readonly type: 'writer'; readonly memory: WriterMemory }
    /** Run a handler here and now: what runs is sampled. */
    | { readonly type: 'sample'; readonly handler: number }
    /** After the last of its points has gone. */
    | { readonly type: 'end' };
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
  /** The memory in which the buffer goes on when a snapshot is taken; none: no snapshot may be taken any more. */
  | { readonly type: 'spare'; readonly instance: number; readonly buffer?: SharedArrayBuffer }
  /** A snapshot was taken. */
  | { readonly type: 'snapshot'; readonly instance: number }
  /** The buffer moves to another memory, with what is in it. */
  | { readonly type: 'resize'; readonly instance: number; readonly half: number; readonly buffer: SharedArrayBuffer }
  /** From now on the records of an instance have another clock. */
  | { readonly type: 'clock'; readonly instance: number; readonly clock: TraceClock }
  /** The functions of a text; comes before the first patch of any of them. */
  | { readonly type: 'functions'; readonly functions: LinkedFunctions }
  | { readonly type: 'tracer'; readonly config: TracerConfig }
  /** Sets the tracer in an instance, whose tracer the sites call as `ops`. */
  | { readonly type: 'instanceTracer'; readonly instance: number; readonly ops: number; readonly config: TracerConfig }
  /** An instance was removed: its buffer is freed. */
  | { readonly type: 'removeInstance'; readonly instance: number }
  /** A service begins, or gets another configuration; without one it ends. */
  | { readonly type: 'service'; readonly kind: ServiceKind; readonly config?: unknown }
  /** An event begins to be wanted, or is wanted in another way. */
  | ({ readonly type: 'event' } & EventCommand)
  | ({ readonly type: 'script' } & ScriptCommand)
  /**
   * From now on what runs on the thread (its async contexts) are its tasks, with their types in this memory; without: the thread
   * itself is the task.
   */
  | { readonly type: 'tasks'; readonly memory?: SharedArrayBuffer }
  | { readonly type: 'taskPids'; readonly slot: number; readonly lists?: TaskPids }
  /** Send the lists of these slots. */
  | { readonly type: 'askTasks'; readonly slots: readonly number[] }
  /** Spin, and look for gaps. */
  | ({ readonly type: 'sample' } & SampleRequest)
  /** Recorded texts have at most so many characters; 0: as many as at first. */
  | { readonly type: 'text size'; readonly characters: number }
  /** Record the stack if what the latency tracer measures began at `since`, in nanoseconds of the trace clock, and still runs. */
  | { readonly type: 'look'; readonly since: number }
  | { readonly type: 'patch'; readonly patches: Patches }
  /** Tell where in these parts of a function a probe can stand. */
  | {
      readonly type: 'places';
      readonly call: number;
      readonly probed: ProbedFunction;
      readonly ranges: readonly PlaceRange[];
      /** Only those in these parts of the text. */
      readonly parts?: readonly TextPart[] | undefined;
    }
  /** Tell the text that has this function, as it is without sites. */
  | { readonly type: 'text'; readonly call: number; readonly probed: ProbedFunction }
  /** Write to stderr: the line of a record that the thread sent by `printk`. */
  | { readonly type: 'print'; readonly text: Uint8Array }
  /** The place of a probe that the thread's program asks for; the answer follows. */
  | { readonly type: 'kprobe'; readonly id: number; readonly found: FoundKprobe }
  /** kprobes/enabled: the breakpoints of the program's probes go, or come back. */
  | { readonly type: 'halt kprobes'; readonly isHalted: boolean }
  /** The state of a live patch that the thread's program has asked for (LivepatchRequest.id). */
  | { readonly type: 'livepatch state'; readonly id: number; readonly state: LivepatchState }
  /**
   * The native text of the thread is traced, too: it tells where its shadow stack is, by loading the shared object `file` and
   * calling what `call` names there (native/addon); see native/code/javascript.ts. What `counter` names is called in the same
   * way, and reads the processor's counter. `isolate` returns what V8 knows the thread by, which is the first argument of
   * `atEnd`.
   */
  | ({ readonly type: 'native'; readonly file: string } & NativeCalls)
  /** What ended calls have left on the thread's stack is taken for open ones: write over it when the stack is not deep. */
  | { readonly type: 'clear stack' }
  /** Detach: the thread must become as it was before fentry was attached. */
  | { readonly type: 'detach' }
  /** The answer to a call, after everything that follows from it was sent; with an error if it was refused. */
  | { readonly type: 'answer'; readonly call: number; readonly error?: { readonly errno: Errno; readonly message: string } };

/** When a module was handed on to be compiled: nanoseconds of the trace clock. */
export interface CompiledModule {
  readonly at: number;
  /** Nanoseconds that its sites took until then, with patching them. */
  readonly siteTime: number;
}

/** What a thread tells the control side. */
export type PortEvent =
  /** Plan for a subscriber of this thread, again if its id is known; answered. */
  | { readonly type: 'subscribe'; readonly call: number; readonly request: SubscriberRequest }
  | { readonly type: 'unsubscribe'; readonly call: number; readonly id: number }
  /** Find the place of a probe, and list it; answered. */
  | { readonly type: 'kprobe'; readonly call: number; readonly request: KprobeRequest }
  | { readonly type: 'kprobe state'; readonly id: number; readonly state: KprobeState }
  /** Load, enable or disable a live patch; answered. */
  | { readonly type: 'livepatch request'; readonly call: number; readonly request: LivepatchRequest }
  | { readonly type: 'tasks'; readonly lists: readonly ListedTasks[] }
  /** The program has declared an event. */
  | { readonly type: 'event declared'; readonly event: EventDeclared }
  /** The program has declared a tracepoint that is no event. */
  | { readonly type: 'tracepoint declared'; readonly tracepoint: TracepointDeclared }
  /** A mark of a thread that has no buffer yet. `ip`: the address of what printed it; absent: none, as for trace_marker. */
  | { readonly type: 'mark'; readonly text: Uint8Array; readonly ip?: number }
  | { readonly type: 'raw mark'; readonly bytes: Uint8Array }
  /** The program has given this format to tracePrintk(), for the first time on this thread. */
  | { readonly type: 'printk format'; readonly format: string }
  /** A task that is not a thread was seen. */
  | { readonly type: 'task'; readonly pid: number; readonly comm: string }
  /** Dump all buffers, or those of one cpu, before this returns. */
  | { readonly type: 'dump'; readonly cpu: number | undefined }
  /** A record was written while the flag tracepoint_printk is not 0. The thread waits for its line. */
  | { readonly type: 'printk'; readonly record: Uint8Array; readonly ts: number }
  /** An event happened that has triggers, and the control side runs them (Port.reportsEvents). */
  | { readonly type: 'event'; readonly cpu: number; readonly ts: number; readonly record: Uint8Array }
  /** So many such events were not seen. */
  | { readonly type: 'events lost'; readonly count: number }
  /** The breakpoints of function `n` were hit too often. */
  | { readonly type: 'overheated'; readonly n: number }
  /** The answer to `places`; undefined: the thread has not compiled the function's text. */
  | { readonly type: 'places'; readonly call: number; readonly places: readonly ProbePlace[] | undefined }
  /** The answer to `text`; undefined: as for `places`. */
  | { readonly type: 'text'; readonly call: number; readonly text: string | undefined }
  /**
   * A probe of an event (PointConfig.event) is not hit on this thread, or not any more; the reason as a sentence about its place.
   */
  | { readonly type: 'probe ended'; readonly event: string; readonly why: string }
  /** The thread is also that of cpu `to`: what it records on both is one. */
  | { readonly type: 'joined'; readonly to: number }
  /** Function `n` could not be reached; the reason as a sentence. */
  | { readonly type: 'unreached'; readonly n: number; readonly why: string }
  /** A command of this type could not be obeyed. Who waits for it gets the error, too. */
  | { readonly type: 'disobeyed'; readonly command: string; readonly message: string }
  /** The condition of a function that is made to fail threw. */
  | { readonly type: 'fault condition'; readonly n: number; readonly message: string }
  /** What became of a live patch on the thread. */
  | ({ readonly type: 'livepatch'; readonly patch: number } & LivepatchNews)
  /** A module, by its first function, is handed on to be compiled, and to run at once. */
  | ({ readonly type: 'compiles'; readonly firstFunction: number } & CompiledModule)
  /** A module that does not run at once, by its first function, was compiled in so many nanoseconds. */
  | { readonly type: 'compiled'; readonly firstFunction: number; readonly time: number }
  /**
   * Where addresses of stacks are: three numbers for each, the address, its line and its column (from 1) in the text as loaded.
   * A thread tells an address once.
   */
  | { readonly type: 'stack places'; readonly places: readonly number[] }
  /** The thread has run its last code. */
  | { readonly type: 'end' };

/** Sites that are patched together: those of one thread, or one set for all threads that run the same text. */
export interface PatchedSites {
  /** What concerns sites: `functions` and `patch`. */
  post(command: PortCommand): void;
}

/** A thread that runs the text: a cpu of the trace. */
export interface TracedThread {
  readonly cpu: number;
  /** The thread's id at the operating system: pid of its records. */
  readonly tid: number;
  /** The id of the thread that started it. */
  readonly parent: number;
  /** The thread's name, as saved_cmdlines shows it. */
  readonly comm: string;
  /** The sites that it runs: its own, or those that all threads share. */
  readonly sites: PatchedSites;
  /** Sends a command without waiting for it. */
  post(command: PortCommand): void;
  /**
   * Sends a command; resolves when the thread has obeyed, has ended, or cannot be reached for now.
   * @throws TraceError when it could not obey
   */
  send(command: PortCommand): Promise<void>;
  /** Sends a command, and interrupts the thread, so that it obeys where it runs. Absent: it cannot be interrupted. */
  interrupt?(command: PortCommand): void;
  /**
   * Resolves when the thread has obeyed all that it was told, or has ended; or, after a bounded time, to what keeps it from
   * obeying: words that follow "the thread". It obeys when that is over.
   * @throws TraceError when it could not obey what it was told
   */
  settled(): Promise<string | undefined>;
  /** Whether commands wait that were sent since the thread last answered; false for a thread that does not answer. */
  readonly isBehind: boolean;
}

/** The data of a text that are known as soon as a thread has linked it. */
export interface TextAnnouncement {
  readonly firstFunction: number;
  /** How many functions the text has. Their numbers are firstFunction, firstFunction + 1, ... */
  readonly functionCount: number;
  /** Decodes its functions. Called when they are needed: an untraced process pays only for the announcement. */
  read(): LinkedText;
}

export interface AnnouncedText {
  readonly thread: TracedThread;
  readonly link: TextAnnouncement;
}

/** Texts, as threads announced them. */
export interface TextAnnouncements {
  /**
   * Takes the texts that were announced since the last call.
   * @param areNeeded functions are asked for, or traced; if not, texts may be left out whose functions take long to find
   */
  take(areNeeded: boolean): readonly AnnouncedText[];
  /** The patches of one text of a thread are sent, if it needs any: the thread may be waiting for that. */
  done(thread: TracedThread): void;
}

/** Numbers that threads check by themselves at any time; 0 at the start. */
export const THREAD_FLAGS = [
  'links-wait',
  'patch-at-once',
  'ftrace_dump_on_oops',
  'traceoff_on_warning',
  'tracepoint_printk',
  'marks-off',
] as const;
/** Bits of the flag `marks-off`: the top level's options of these names are off, and the program's own marks are left out. */
export const MARKS_OFF = { markers: 1, trace_printk: 2 } as const;
export type ThreadFlag = (typeof THREAD_FLAGS)[number];
export interface ThreadFlags {
  get(flag: ThreadFlag): number;
  set(flag: ThreadFlag, value: number): void;
}

/** The threads of the process. */
export interface TracedThreads {
  /** Threads that live, by cpu. */
  readonly living: readonly TracedThread[];
  get(cpu: number): TracedThread | undefined;
  /** Whether a task is a thread of the process. */
  isThread(tid: number): boolean;
  /**
   * Connects to the running threads and, from now on, to new ones: each waits for that before it runs a text that must be
   * patched first.
   */
  start(): void;
  /** Looks for threads that have started or ended. */
  look(): void;
}

/** The listener for starts and ends of threads. */
export interface PortListener {
  /** A thread started; none of its events has been received yet. */
  started(thread: TracedThread): void;
  ended(thread: TracedThread): void;
  /** `TextAnnouncements.take` has something urgent. */
  announced(): void;
  /** Threads linked texts that did not fit into `TextAnnouncements`. */
  linked(texts: readonly AnnouncedText[]): void;
  /** A thread had linked a text before fentry was attached. `isReached`: it can be patched, at a cost. */
  loadedBefore(text: AnnouncedText, isReached: boolean): void;
  told(thread: TracedThread, event: PortEvent): void;
}

/** What a probe of machine code fetches that was written by the name of a variable. */
export interface FetchedVariable {
  readonly fetch: Fetch;
  readonly type: ProbeType;
}

/** Text that is machine code: a probe's arguments are registers and memory there. */
export interface MachineCode {
  /** The process has no other text. */
  readonly isAll: boolean;
  /** Whether it has function `n`. */
  has(n: number): boolean;
  /** The names of the registers that a probe can fetch. */
  readonly registers: ReadonlySet<string>;
  /** The address of a variable of the program, or of another symbol; undefined: there is none of that name. */
  addressOf(symbol: string): number | undefined;
  /**
   * How a probe at a place in function `n` fetches what begins with a variable's name, as debug information says; or why it
   * cannot.
   * @param asked the type that was written
   */
  fetchVariable(n: number, place: CodePlace, fetch: Fetch, asked: ProbeType | undefined): FetchedVariable | Refused;
}

/** A process and its text, as the control side sees them. */
export interface Port {
  readonly threads: TracedThreads;
  /** Whether all threads run the same sites: then a patch is for all of them, and each looks by itself which tasks it traces. */
  readonly sharesSites: boolean;
  /** Whether threads tell of each event that has triggers, which the control side then runs; absent: threads run them. */
  readonly reportsEvents?: true;
  /** Whether a thread has sites of its own in a port that shares them. */
  hasOwnSites?(tid: number): boolean;
  /** What the port cannot do: there are no files for it. */
  readonly lacks: ReadonlySet<PortFeature>;
  /** The clock `x86-tsc`; looked for when it is first asked for. */
  readonly timeStamps: TimeStampClock;
  /** Something may be recorded from now on: threads read the cheapest clock that there is. Absent: they do so always. */
  useCheapestClock?(): void;
  readonly flags: ThreadFlags;
  readonly announcements: TextAnnouncements;
  /** The events that every process of the port has; their sources are switched on with them. */
  events(): readonly EventDefinition[];
  /**
   * Memory of so many zero bytes that the threads can write to: for rings, and for the words of instances.
   * @throws TraceError ENOMEM when there is no room
   */
  allocate(bytes: number): SharedArrayBuffer;
  /**
   * The most bytes that the buffers of all cpus can have each, as things stand, and why; absent: nothing but the system's memory
   * limits them.
   */
  largestBuffer?(): { readonly bytes: number; readonly why: string };
  /** The top level's InstanceSwitch, which threads have from their start. */
  readonly topSwitch: SharedArrayBuffer;
  /** The trace clock `counter`. */
  readonly counter: BigInt64Array;
  /** The kernel's name of a system call that its events number: `sys_openat`; undefined for a number that is none. */
  syscallName(nr: bigint): string | undefined;
  /** What can be asked of the text that is machine code. Absent: none is. */
  readonly machineCode?: MachineCode;
  /**
   * Memory for what the profiler counts on a cpu: at least so many functions. Absent: FunctionProfile. @throws TraceError ENOMEM
   */
  createProfile?(functions: number, cpu: number): ProfileCounts;
  /**
   * How many signals of this number, one of ENDING_SIGNALS, the program's listeners were called for: counted before the first of
   * them runs. Absent: it has no listeners.
   */
  heardSignals?(signal: number): number;
  /** Whether a thread can tell how deep its stack is. */
  canMeasureStacks(): boolean;
  /** Asks threads what they do. Absent: the port has none that run JavaScript. */
  readonly inspect?: Inspect | undefined;
  /** Resolves when the texts that ran before fentry was attached are announced; the threads have obeyed the commands for it. */
  textsLoadedBefore(obeyed: () => Promise<void>): Promise<void>;
}

/** Creates the port of a process. */
export type CreatePort = (listener: PortListener) => Port;
