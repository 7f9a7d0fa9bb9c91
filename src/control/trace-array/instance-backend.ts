import type { FunctionProbes } from '../../ftrace/commands/function-probes.js';
import type { FilterName, FunctionFilter } from '../../ftrace/function-filter.js';
import type { OptionFlags } from '../../ftrace/options.js';
import type { PidFileName, PidList } from '../../ftrace/pid-list.js';
import type { TracerName } from '../../ftrace/tracers/tracers.js';
import type { TraceClock } from '../../ring-buffer/index.js';
import type { EventBackend } from '../events/instance-events.js';
import type { HwlatSettings } from '../hwlat/hwlat-settings.js';
import type { MaxTrace } from '../latency/max-trace.js';
import type { CpuBuffer } from './cpu-buffer.js';

/** What one instance needs from the process: its part of each thread. */
export interface InstanceBackend extends EventBackend {
  /** One for each thread, in the order of `cpu`; a thread that has ended stays until its buffer was read. */
  cpus(): readonly CpuBuffer[];
  setTracer(name: TracerName): void | Promise<void>;
  /** tracing_on: the program and its functions may switch it too (tracingOff(), the traceoff command). */
  readonly tracingOn: boolean;
  setTracingOn(on: boolean): void;
  /** Pauses recording, whatever tracing_on says. */
  setPaused(paused: boolean): void;
  /** tracing_cpumask: nothing is recorded on the cpus that `isMasked` names. */
  setMask(isMasked: (cpu: number) => boolean): void;
  /** Whether there is memory for a snapshot. */
  readonly hasSnapshot: boolean;
  allocateSnapshot(): void | Promise<void>;
  freeSnapshot(): void | Promise<void>;
  /** Exchanges each buffer with its snapshot. */
  takeSnapshot(): void | Promise<void>;
  /** The present filter, with the functions that were linked since it was set. */
  filter(which: FilterName): FunctionFilter;
  setFilter(which: FilterName, filter: FunctionFilter): void | Promise<void>;
  /** The probes that the commands of set_ftrace_filter have set; changes take effect with `applyProbes`. */
  probes(): FunctionProbes;
  applyProbes(): void | Promise<void>;
  /** The present tasks of a pid file, with those that the option function-fork or event-fork added. */
  pids(name: PidFileName): PidList;
  setPids(name: PidFileName, list: PidList): void | Promise<void>;
  /** Updates `pids` if the threads themselves keep the lists: with the option async-context. */
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
  /** New records have this clock; the records in the buffers must be cleared. */
  setClock(clock: TraceClock): void | Promise<void>;
  /** What the instance's clock shows now. */
  now(): number;
  /** Data bytes of one cpu's buffer, or of each with cpu = -1. */
  resize(cpu: number, bytes: number): void | Promise<void>;
  /** Writes a print record of the task `pid`. Returns false if it was not recorded: tracing is off, or the buffer is full. */
  mark(text: Uint8Array, pid: number, comm: string): boolean | Promise<boolean>;
  /** The same with a raw_data record: an id of four bytes and what follows it. */
  markRaw(bytes: Uint8Array, pid: number, comm: string): boolean | Promise<boolean>;
}
