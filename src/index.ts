/**
 * What `node --require fentry` and `node --import fentry` load: it prepares the thread for tracing. A program may import it too,
 * to subscribe to its own functions or to write into its own trace.
 */
// First, and in the agent's own bundle: what is loaded later finds here what the program may have replaced by then.
import './base/primordials.js';
import type { AsyncResource } from 'node:async_hooks';
import type { FtraceFunctionOps } from './ftrace/ftrace-function-ops.js';
import type { Fprobe, FprobeOptions, Kprobe, KprobeOptions, KretprobeOptions } from './ftrace/kprobes/kprobe.js';
import type { FilterWords } from './ftrace/register.js';
import type { LivepatchOptions, ProgramLivepatch } from './ftrace/tracers/program-livepatches.js';
import { startAgent } from './v8/program/start.js';

export { TraceError } from './base/errno.js';
export type { FtraceCallback, FtraceFunctionOps, FtraceRegs } from './ftrace/ftrace-function-ops.js';
export type {
  Fprobe,
  FprobeOptions,
  Kprobe,
  KprobeOptions,
  KprobeRegs,
  KprobeSettling,
  KretprobeOptions,
  ProbedCall,
  RegisteredProbe,
} from './ftrace/kprobes/kprobe.js';
export type { FilterWords } from './ftrace/register.js';
export type { LivepatchState } from './ftrace/tracers/diversions.js';
export type { LivepatchOptions, ProgramLivepatch } from './ftrace/tracers/program-livepatches.js';

const program = startAgent();

/**
 * Calls `ops.func` whenever this thread calls one of the functions that `ops` filters, in addition to any tracer. Resolves when
 * the functions are patched; one that is loaded later is patched before it first runs. Rejects with a TraceError: EINVAL for a
 * filter that matches nothing, EBUSY if it is already registered.
 */
export const registerFtraceFunction = async (ops: FtraceFunctionOps): Promise<void> => program.registry.register(ops);

/**
 * The pid of what runs now, as in the trace and for set_ftrace_pid: the thread's id, or with the option async-context that of
 * the async context, which in the main thread is its `executionAsyncId()`.
 */
export const currentPid = (): number => program.pid;

/**
 * Creates an async context that is a task with this pid and name, as clone3() does with `set_tid`: for a program that works for
 * others, which have numbers of their own (processes that it watches, jobs). What runs in its `runInAsyncScope()` runs as that
 * task: in `sched` events, and with the option async-context everywhere.
 * @throws TraceError EINVAL if the pid is not from 1 to 67,108,863, the name is empty, or the thread is a worker
 */
export const createTask = (comm: string, pid: number): AsyncResource => program.createTask(comm, pid);

/** Unregisters `ops`: the callback is not called any more. Rejects with EBUSY if it is not registered. */
export const unregisterFtraceFunction = async (ops: FtraceFunctionOps): Promise<void> => program.registry.unregister(ops);

/** Adds words to a registered filter, or with `reset` replaces it. Rejects with EINVAL when a word matches nothing. */
export const ftraceSetFilter = async (ops: FtraceFunctionOps, words: FilterWords, reset = false): Promise<void> =>
  program.registry.setFilter(ops, words, reset);

/** Sets the functions that must not call the callback; these win. */
export const ftraceSetNotrace = async (ops: FtraceFunctionOps, words: FilterWords, reset = false): Promise<void> =>
  program.registry.setNotrace(ops, words, reset);

/**
 * Registers a probe on this thread: at the entry of a function, or in the middle of one. Its handlers run on this thread; what
 * they call is not traced, and what they throw ends the probe and goes no further. Rejects with a TraceError: ENOENT if there is
 * no such function, EADDRNOTAVAIL if several have the name, EILSEQ where V8 cannot stop (the message names the nearest places),
 * EINVAL where no probe can stand, EOPNOTSUPP for a postHandler where the end of a statement cannot be heard.
 */
export const registerKprobe = async (options: KprobeOptions): Promise<Kprobe> => program.kprobes.registerKprobe(options);

/** Registers a probe of a function's end on this thread. Rejects as registerKprobe. */
export const registerKretprobe = async (options: KretprobeOptions): Promise<Kprobe> => program.kprobes.registerKretprobe(options);

/**
 * Registers a probe of the entries and ends of many functions on this thread. Rejects with EINVAL if the filter matches nothing.
 */
export const registerFprobe = async (options: FprobeOptions): Promise<Fprobe> => program.kprobes.registerFprobe(options);

/**
 * Replaces functions of the program by those that a module exports, in all threads, and resolves when every thread knows of it
 * (docs/livepatch.md). Calls that have begun go on in the old code: `transition` and `settled()` of the patch tell when they have
 * ended. Rejects with a TraceError: EEXIST if the name is in use, ENOENT without the file, EBUSY if a function has another owner,
 * EINVAL for a file that cannot be loaded and for functions that cannot be replaced by it, ETIMEDOUT if no thread of the program
 * loads the file.
 */
export const livepatch = async (options: LivepatchOptions): Promise<ProgramLivepatch> => program.livepatches.load(options);

/**
 * Writes a line into the trace, as `echo TEXT > trace_marker` does; one of more than 1024 bytes is cut. None while the option
 * markers is off.
 */
export const traceMarker = (text: string): void => program.mark(text);

/**
 * Writes a line into the trace in the name of the calling function, as the kernel's trace_printk() does: `trace` shows
 * `FUNCTION: text`. The conversions are the kernel's, and `%f` and `%j`; none runs code of the program (docs/agent.md).
 * Nothing is recorded while tracing_on is 0, or the option trace_printk is off. More than 1024 bytes are cut.
 */
export const tracePrintk = (format: string, ...values: readonly unknown[]): void => program.printk(format, values);

/**
 * Writes a raw_data record into the trace, as a write to trace_marker_raw does: for data that a special program reads.
 * @param id 32 bits that say what the bytes are; the program chooses the number
 * @param bytes at most 3068
 * @throws TraceError EINVAL if there are more
 */
export const traceMarkerRaw = (id: number, bytes: Uint8Array): void => program.markRaw(id, bytes);

/** Resumes recording in all threads at once, as `echo 1 > tracing_on` does. */
export const tracingOn = (): void => program.setTracingOn(true);

/**
 * Stops recording in all threads at once, as `echo 0 > tracing_on` does: what led here stays in the buffers. Takes nanoseconds.
 */
export const tracingOff = (): void => program.setTracingOn(false);

/** Whether tracing_on is 1. False if fentry could not start. */
export const tracingIsOn = (): boolean => program.isTracingOn;
