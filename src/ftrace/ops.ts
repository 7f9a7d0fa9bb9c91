import { EMPTY_HASH, type FunctionHash, isEmptyHash } from './hash.js';

/** What a subscriber asks for, as FTRACE_OPS_FL_*. */
export const FTRACE_OPS_FL = {
  /** Flag: the callback reads `this` and the arguments. */
  SAVE_REGS: 1,
  /** Flag: the callback also wants to know how the function ended. */
  EXIT: 2,
  /** Flag: the owner may have other code run in place of the function's own: one such owner a function. */
  IPMODIFY: 4,
} as const;

/**
 * Ids of ops. The top level's tracer and each kind of service (ftrace/tracers/services.ts) keep theirs; those ids are bits of
 * what frames want (exit-lists.ts). All other ops get an id that none had before.
 */
export const OPS_ID = {
  TRACER: 0,
  PROBE: 1,
  PROFILER: 2,
  STACK: 3,
  KPROBE: 4,
  IPMODIFY: 5,
  /** The control thread counts up from here. */
  FIRST_GIVEN: 8,
  /** Each program thread counts down from here, for the subscribers of its program. */
  FIRST_SUBSCRIBER: -1,
  /** Each program thread counts down from here, for the kprobes, kretprobes and fprobes of its program. */
  FIRST_PROGRAM_PROBE: -0x40000000,
} as const;

/**
 * One subscriber to function calls (struct ftrace_ops): an id and the functions it wants.
 * It calls nothing itself: the thread side holds the trampoline for each id.
 */
export interface FtraceOps {
  readonly id: number;
  /** The callback, as enabled_functions names it: `function_trace_call`. */
  readonly name: string;
  readonly flags: number;
  /** Empty means every function. */
  filter: FunctionHash;
  notrace: FunctionHash;
  /** Registered: its functions are patched. */
  enabled: boolean;
  /** The thread whose sites call it; undefined: all threads. */
  readonly cpu?: number;
  /** Chooses the threads whose sites do not call it: set_ftrace_pid names others, or set_ftrace_notrace_pid these. */
  readonly excludes?: (tid: number) => boolean;
}

/** An ops that wants every function and is not registered yet. */
export function createOps(id: number, name: string, flags = 0, cpu?: number): FtraceOps {
  return {
    id,
    name,
    flags,
    filter: EMPTY_HASH,
    notrace: EMPTY_HASH,
    enabled: false,
    ...(cpu === undefined ? {} : { cpu }),
  };
}

/** Whether the sites of a thread may call `ops` at all. */
export const opsOfThread = ({ cpu, excludes }: FtraceOps, thread: { readonly cpu: number; readonly tid: number }): boolean =>
  (cpu === undefined || cpu === thread.cpu) && excludes?.(thread.tid) !== true;

/** Whether `ops` is to be called for function `n`: notrace wins, an empty filter means all (ops_references_rec). */
export function opsWants(ops: FtraceOps, n: number): boolean {
  return ops.enabled && !ops.notrace.functions.has(n) && (isEmptyHash(ops.filter) || ops.filter.functions.has(n));
}
