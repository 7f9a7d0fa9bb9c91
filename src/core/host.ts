import type { FindEvent } from '../ftrace/commands/command-word.js';
import type { FunctionProbes } from '../ftrace/commands/function-probes.js';
import type { RecordedStack } from '../ftrace/deepest-stack.js';
import type { FunctionFilter } from '../ftrace/function-filter.js';
import type { ProfiledFunction } from '../ftrace/function-profile.js';
import type { RingBufferReader, TraceClock } from '../ring-buffer/index.js';
import type { TracerName } from '../tracers/tracer-config.js';
import type { HwlatSettings } from './hwlat-settings.js';
import type { MaxTrace } from './max-trace.js';
import type { OptionFlags } from './options.js';
import type { PidFileName, PidList } from './pid-list.js';
import type { SavedCmdlines } from './saved-cmdlines.js';
import type { SymbolTable } from './symbols.js';
import type { Sysctls } from './sysctl.js';

/**
 * What the tree needs of the process it describes. The control thread implements it with ring buffers and program
 * threads; the tests implement it in memory. Methods that change the program resolve when every thread has obeyed.
 */
export interface TraceHost {
  /** The instance at the top of the tree. */
  readonly top: InstanceHost;
  /** Makes one more instance: its own buffers, tracer and filters, as they are at the start, and these options. */
  addInstance(options: OptionFlags): InstanceHost;
  /** Ends an instance and lets its buffers go. */
  removeInstance(instance: InstanceHost): void | Promise<void>;
  /** The function profiler, which counts for the whole process. */
  readonly profiler: ProfilerHost;
  readonly sysctls: Sysctls;
  readonly stackTracer: StackTracerHost;
  readonly symbols: SymbolTable;
  readonly functions: FunctionTable;
  /** CLOCK_MONOTONIC now, in nanoseconds. */
  now(): number;
  /** The names of the tasks seen, as many as saved_cmdlines_size lets them be. */
  readonly cmdlines: SavedCmdlines;
  /** comm of a task, or undefined when it was never seen. */
  comm(pid: number): string | undefined;
  /** [pid, comm] of every task seen. */
  comms(): Iterable<readonly [number, string]>;
  /** Whether a task is a thread or context of this process; others may write marks. */
  isOwnTask(pid: number): boolean;
}

export type { RecordedStack } from '../ftrace/deepest-stack.js';
export type { ProfiledFunction } from '../ftrace/function-profile.js';

/** The stack tracer: it keeps the deepest stack that any thread had. */
export interface StackTracerHost {
  /** stack_tracer_enabled: any number but 0 is on. */
  readonly enabled: number;
  /** Rejects with ENODEV where the system does not tell how deep a stack is. */
  setEnabled(value: number): void | Promise<void>;
  /** Bytes of the deepest stack; what is deeper than the number written here is recorded next. */
  readonly maxSize: number;
  setMaxSize(bytes: number): void;
  /** The functions at whose calls the stack is measured; empty: all. */
  readonly filter: FunctionFilter;
  setFilter(filter: FunctionFilter): void | Promise<void>;
  /** Undefined when there was none yet. */
  stack(): RecordedStack | undefined;
}

/** The function profiler: it counts calls and their times by function, on each thread. */
export interface ProfilerHost {
  readonly isOn: boolean;
  /** Begins with all counts at 0, or ends; the counts stay. */
  setOn(on: boolean): void | Promise<void>;
  /** What the thread on a cpu has counted, the longest time first. */
  rows(cpu: number): readonly ProfiledFunction[];
}

/** What one instance of tracing asks of the process: its share of each thread. */
export interface InstanceHost {
  /** One a JavaScript thread, in the order of `cpu`; threads that ended stay until their buffer was read. */
  readonly cpus: readonly CpuBuffer[];
  setTracer(name: TracerName): void | Promise<void>;
  /** tracing_on: the program and its functions may switch it too (tracingOff(), the traceoff command). */
  readonly tracingOn: boolean;
  setTracingOn(on: boolean): void;
  /** Nothing is recorded for a while, whatever tracing_on says. */
  setPaused(paused: boolean): void;
  /** tracing_cpumask: nothing is recorded on the cpus that `isMasked` names. */
  setMask(isMasked: (cpu: number) => boolean): void;
  /** Whether there is memory for a snapshot. */
  readonly hasSnapshot: boolean;
  allocateSnapshot(): void | Promise<void>;
  freeSnapshot(): void | Promise<void>;
  /** Exchanges each buffer with its snapshot. */
  takeSnapshot(): void | Promise<void>;
  /** A filter as it stands: with the functions that were linked since it was set. */
  filter(which: FilterName): FunctionFilter;
  setFilter(which: FilterName, filter: FunctionFilter): void | Promise<void>;
  /** What the commands of set_ftrace_filter have set; it is changed there, and holds after `applyProbes`. */
  readonly probes: FunctionProbes;
  applyProbes(): void | Promise<void>;
  /** The events that a command can switch. */
  readonly findEvent: FindEvent;
  /** The tasks of a pid file as it stands: with those that option function-fork or event-fork added. */
  pids(name: PidFileName): PidList;
  setPids(name: PidFileName, list: PidList): void | Promise<void>;
  /** Brings `pids` up to date where the threads themselves keep them: with option async-context. */
  lookAtPids(): void | Promise<void>;
  setOptions(options: OptionFlags): void | Promise<void>;
  /** max_graph_depth, 0 = no limit. */
  setMaxGraphDepth(depth: number): void | Promise<void>;
  /** tracing_thresh in nanoseconds, 0 = none. */
  setThreshold(ns: number): void | Promise<void>;
  /** hwlat_detector/ */
  readonly hwlat: HwlatSettings;
  /** tracing_max_latency and what it keeps. */
  readonly maximum: MaxTrace;
  /** The times of new records are this clock's; those in the buffers are to be cleared. */
  setClock(clock: TraceClock): void | Promise<void>;
  /** What the instance's clock shows now. */
  now(): number;
  /** Data bytes of one cpu's buffer, or of each with cpu = -1. */
  resize(cpu: number, bytes: number): void | Promise<void>;
  /** Writes a print record of the task `pid`. False when it was not recorded: tracing is off, or the buffer is full. */
  mark(text: Uint8Array, pid: number, comm: string): boolean | Promise<boolean>;
  /** The same with a raw_data record: an id of four bytes and what follows it. */
  markRaw(bytes: Uint8Array, pid: number, comm: string): boolean | Promise<boolean>;
}

/** The filters: set_ftrace_filter, set_ftrace_notrace, set_graph_function, set_graph_notrace. */
export const FILTER_NAMES = ['filter', 'notrace', 'graph', 'graphNotrace'] as const;
export type FilterName = (typeof FILTER_NAMES)[number];

/** One thread's ring buffer, seen from its readers. */
export interface CpuBuffer {
  readonly cpu: number;
  /** Undefined as long as the buffer has no memory, because nothing was to be recorded yet. */
  readonly reader: RingBufferReader | undefined;
  /** The memory that a snapshot put aside, if there is any. */
  readonly snapshot: RingBufferReader | undefined;
  /** Data bytes it can hold, or will when it gets its memory. */
  readonly bytes: number;
}

/** The functions linked so far, by function number. */
export interface FunctionTable {
  /** Numbers in the order of their addresses; functions without a patch site included. */
  numbers(): Iterable<number>;
  /** Highest number + 1. */
  readonly count: number;
  name(n: number): string;
  /** npm package, '' for the application's own. */
  module(n: number): string;
  /** The low 32 bits of its address; the high ones are the process's text base. */
  low(n: number): number;
  /** The 32 bits above `low`, the same for all functions of the process. */
  readonly high: number;
  params(n: number): readonly string[];
  /** Why it has no patch site, or undefined when it has one. */
  reason(n: number): string | undefined;
  /** Whether it was loaded before fentry, and so is reached by a breakpoint. Absent: none is. */
  isEarly?(n: number): boolean;
  /** File, line and column of its definition, for functions_without_sites. */
  location(n: number): string;
  /** Number of ops that want it; 0 = its site is a NOP. */
  refs(n: number): number;
  /** Whether any ops ever wanted it. */
  touched(n: number): boolean;
  /** Whether one of them wants `this` and the arguments. */
  wantsRegs(n: number): boolean;
  /** The name of its own ops' callback when just one subscriber wants it. */
  trampoline(n: number): string | undefined;
  /** The text of dyn_ftrace_total_info. */
  totalInfo(): string;
}
