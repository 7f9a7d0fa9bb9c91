import type { CommandName } from '../commands/command-table.js';
import type { ProbeGroup } from '../commands/function-probe.js';
import { OPS_ID } from '../ops.js';

/**
 * What sites call on every thread besides tracers and the program's subscribers: the function profiler, the stack tracer, the
 * probes of set_ftrace_filter, and what replaces functions (live patches, error injection). The ops id of each kind.
 */
export const SERVICE_OPS = {
  probe: OPS_ID.PROBE,
  profiler: OPS_ID.PROFILER,
  stack: OPS_ID.STACK,
  kprobe: OPS_ID.KPROBE,
  ipmodify: OPS_ID.IPMODIFY,
} as const;
/** The name of a service. */
export type ServiceKind = keyof typeof SERVICE_OPS;

/** The message about the probes of set_ftrace_filter: functions get a probe, or lose it. */
export type ProbeChange =
  | {
      readonly type: 'add';
      /** FunctionProbe.id */
      readonly probe: number;
      readonly instance: number;
      readonly command: CommandName;
      readonly group: ProbeGroup;
    }
  | { readonly type: 'remove'; readonly probe: number; readonly functions: Uint32Array };

/** The configuration of a thread's profiler. */
export interface ProfilerConfig {
  /** The memory of its counts (FunctionProfile, or what Port.createProfile makes). */
  readonly memory: SharedArrayBuffer;
  /** sleep-time: the time that a coroutine waited counts. */
  readonly sleepTime: boolean;
  /** graph-time: the time of a function includes that of profiled functions inside it. */
  readonly graphTime: boolean;
}

/** The configuration of a thread's stack tracer. */
export interface StackTracerConfig {
  /** Where the deepest stack of the process is kept (DeepestStack). */
  readonly memory: SharedArrayBuffer;
  readonly cpu: number;
}
