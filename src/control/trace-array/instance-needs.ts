import type { EventWords } from '../../events/event-words.js';
import type { EventRegistry } from '../../events/registry.js';
import type { SymbolTable } from '../../ftrace/symbols.js';
import type { PortFeature } from '../../ftrace/tracers/features.js';
import type { Port, TracedThreads } from '../../port/port.js';
import type { TimeStampClock } from '../../ring-buffer/index.js';
import type { ControlEvents } from '../events/control-events.js';
import type { FunctionTable } from '../ftrace/function-table.js';
import type { ProcessTracer } from '../ftrace/process-tracer.js';
import type { PlacedProcess } from '../ftrace/symbol-place-text.js';
import type { ProbeTable } from '../probes/probe-table.js';
import type { FunctionProfiler } from '../profiler/function-profiler.js';
import type { AsyncContexts } from '../tasks/async-contexts.js';
import type { SavedCmdlines } from '../tasks/task-names.js';
import type { BufferNeeds } from './instance-buffers.js';
import type { MarkNeeds } from './instance-marks.js';

/** What an instance needs of the process. */
export interface InstanceNeeds extends BufferNeeds, MarkNeeds, PlacedProcess {
  readonly port: Pick<
    Port,
    | 'flags'
    | 'counter'
    | 'sharesSites'
    | 'hasOwnSites'
    | 'allocate'
    | 'largestBuffer'
    | 'reportsEvents'
    | 'timeStamps'
    | 'useCheapestClock'
  >;
  readonly threads: TracedThreads;
  /** What cannot be done with the process: there are no files for that. */
  readonly lacks: ReadonlySet<PortFeature>;
  /** The clock `x86-tsc`. */
  readonly timeStamps: TimeStampClock;
  readonly tracer: ProcessTracer;
  readonly profiler: FunctionProfiler;
  readonly contexts: AsyncContexts;
  readonly cmdlines: SavedCmdlines;
  readonly events: EventRegistry;
  readonly eventWords: EventWords;
  readonly controlEvents: ControlEvents;
  readonly probes: ProbeTable;
  /** Whether async contexts are the tasks of every instance, or threads. */
  setAsyncContext(on: boolean): void;
  functions(): FunctionTable;
  symbols(): SymbolTable;
  /** CLOCK_MONOTONIC now, in nanoseconds. */
  now(): number;
  /** comm of a task, or undefined if it was never seen. */
  comm(pid: number): string | undefined;
  /** Whether a task is a thread or context of this process; others may write marks. */
  isOwnTask(pid: number): boolean;
  /** The kernel's name of a system call of the process's events: `sys_openat`; undefined for a number that is none. */
  syscallName(nr: bigint): string | undefined;
}
