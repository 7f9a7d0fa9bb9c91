import type { EventWords } from '../../events/event-words.js';
import type { PrintkFormats } from '../../events/printk-formats.js';
import type { EventRegistry } from '../../events/registry.js';
import type { RecordedStack } from '../../ftrace/deepest-stack.js';
import type { FunctionFilter } from '../../ftrace/function-filter.js';
import type { ProfiledFunction } from '../../ftrace/function-profile.js';
import type { OptionFlags } from '../../ftrace/options.js';
import type { SymbolTable } from '../../ftrace/symbols.js';
import type { PortFeature } from '../../ftrace/tracers/features.js';
import type { FaultInjection } from '../faults/fault-injection.js';
import type { FunctionTable } from '../ftrace/function-table.js';
import type { Livepatches } from '../livepatch/livepatch.js';
import type { KprobeList } from '../probes/kprobe-list.js';
import type { ProbeBackend } from '../probes/probe-backend.js';
import type { ProbeSource } from '../probes/probe-source.js';
import type { SavedCmdlines } from '../tasks/saved-cmdlines.js';
import type { InstanceBackend } from '../trace-array/instance-backend.js';
import type { Sysctls } from './sysctl.js';

/**
 * What the tree needs from the process that it describes. The control thread implements it with ring buffers and program
 * threads; the tests implement it in memory. Methods that change the program resolve when every thread has obeyed.
 */
export interface TracedProcess {
  /** What cannot be done with it: there are no files for that. */
  readonly lacks: ReadonlySet<PortFeature>;
  /** Whether it has the clock `x86-tsc`. */
  readonly readsTsc?: boolean | undefined;
  /** The instance at the top of the tree. */
  readonly top: InstanceBackend;
  /** Creates an instance with its own buffers, tracer and filters in their initial state, and with these options. */
  addInstance(options: OptionFlags): InstanceBackend;
  /** Removes an instance and frees its buffers. */
  removeInstance(instance: InstanceBackend): void | Promise<void>;
  /** The function profiler, which counts for the whole process. */
  readonly profiler: FunctionProfiler;
  readonly livepatches: Livepatches;
  readonly faults: FaultInjection;
  readonly sysctls: Sysctls;
  readonly stackTracer: StackTracer;
  symbols(): SymbolTable;
  /** The events that records can be of. */
  readonly events: EventRegistry;
  /** Words that threads look at for each event. */
  readonly eventWords: EventWords;
  /** What the process does for kprobe_events, uprobe_events and dynamic_events. */
  readonly probes: ProbeBackend;
  /** The probes of its functions, as kprobes/list shows them. */
  readonly kprobes: KprobeList;
  /** Its sources, as kprobes/lines and kprobes/vars show them. */
  readonly probeSource: ProbeSource;
  functions(): FunctionTable;
  /** CLOCK_MONOTONIC now, in nanoseconds. */
  now(): number;
  /** The names of the tasks that were seen, at most saved_cmdlines_size. */
  readonly cmdlines: SavedCmdlines;
  /** The formats of tracePrintk() that the program has used. */
  readonly printkFormats: PrintkFormats;
  /** comm of a task, or undefined if it was never seen. */
  comm(pid: number): string | undefined;
  /** [pid, comm] of every task seen. */
  comms(): Iterable<readonly [number, string]>;
  /** Whether a task is a thread or context of this process; others may write marks. */
  isOwnTask(pid: number): boolean;
  /** The kernel's name of a system call of the process's events: `sys_openat`; undefined for a number that is none. */
  syscallName(nr: bigint): string | undefined;
}

/** The stack tracer: it keeps the deepest stack that any thread had. */
export interface StackTracer {
  /** stack_tracer_enabled: any number but 0 is on. */
  readonly enabled: number;
  /** Rejects with ENODEV if the system does not show how deep a stack is. */
  setEnabled(value: number): void | Promise<void>;
  /** Bytes of the deepest stack; after a write, the next deeper stack is recorded. */
  readonly maxSize: bigint;
  setMaxSize(bytes: bigint): void;
  /** The functions at whose calls the stack is measured; empty: all. */
  filter(): FunctionFilter;
  setFilter(filter: FunctionFilter): void | Promise<void>;
  /** Undefined if there was none yet. */
  stack(): RecordedStack | undefined;
}

/** The function profiler: it counts calls and their times by function, on each thread. */
export interface FunctionProfiler {
  readonly isOn: boolean;
  /** Starts with all counts at 0, or stops; the counts stay. */
  setOn(on: boolean): void | Promise<void>;
  /** What the thread on a cpu has counted, the longest time first. */
  rows(cpu: number): readonly ProfiledFunction[];
}
