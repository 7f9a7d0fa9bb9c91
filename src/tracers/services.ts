import type { CommandName } from '../ftrace/commands/command-table.js';
import type { ProbeGroup } from '../ftrace/commands/function-probe.js';
import { OPS_ID } from '../ftrace/ops.js';

/**
 * What sites call on every thread besides tracers and a program's subscribers: the function profiler, the stack tracer, the
 * probes of set_ftrace_filter. The ops id of each kind.
 */
export const SERVICE_OPS = { probe: OPS_ID.PROBE, profiler: OPS_ID.PROFILER, stack: OPS_ID.STACK } as const;
/** The name of a service. */
export type ServiceKind = keyof typeof SERVICE_OPS;

/** What a thread is told of the probes of set_ftrace_filter: functions get one, or lose it. */
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

/** What a thread's profiler is told. */
export interface ProfilerConfig {
  /** Where it counts (FunctionProfile). */
  readonly memory: SharedArrayBuffer;
  /** sleep-time: the time that a coroutine waited counts. */
  readonly sleepTime: boolean;
  /** graph-time: the time of profiled functions inside a function counts as that one's too. */
  readonly graphTime: boolean;
}

/** What a thread's stack tracer is told. */
export interface StackTracerConfig {
  /** Where the deepest stack of the process is kept (DeepestStack). */
  readonly memory: SharedArrayBuffer;
  readonly cpu: number;
}
