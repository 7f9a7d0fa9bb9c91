import type { FtraceRegs } from '../ftrace-function-ops.js';

/** What a handler can read. */
export interface KprobeRegs extends FtraceRegs {
  /** In the middle of a function: the values of the variables that the probe names, but for those that have none there. */
  readonly variables: Readonly<Record<string, unknown>>;
}

/** A registered probe of any kind. */
export interface RegisteredProbe {
  /** Hits that no handler was called for: inside of a handler, or because too many calls were under way (nmissed). */
  readonly missed: number;
  /** Whether its handlers are called: it is enabled, and not gone. */
  readonly isEnabled: boolean;
  /** Whether the probe was unregistered, a handler has thrown, or its place was hit too often for a breakpoint. */
  readonly isGone: boolean;
  /** Resolves when the sites are patched. Rejects with EINVAL if it is gone (enable_kprobe). */
  enable(): Promise<void>;
  /** From the call on no handler is called; resolves when the sites are NOPs, if nobody else wants them (disable_kprobe). */
  disable(): Promise<void>;
  /** Removes the probe for good. Does nothing if it is gone (unregister_kprobe). */
  unregister(): Promise<void>;
}

/** A registered kprobe or kretprobe. */
export interface Kprobe extends RegisteredProbe {
  /** The function, as it was named. */
  readonly symbol: string;
  /** The address of its place: 64 bits with their sign. */
  readonly addr: number;
  /** Units of the source from the function's start; 0 is its entry. */
  readonly offset: number;
}

/** Where a probe stands: one of these, the first by default. */
interface KprobePlace {
  /** `[PACKAGE:]FUNCTION` */
  readonly symbol: string;
  /** A place where V8 can stop, in units from the function's start; 0: its entry. */
  readonly offset?: number;
  /** In place of an offset: a line of the function, 0 its first; the first place on it. */
  readonly line?: number;
}

/** A probe at a function's entry, or in the middle of one (struct kprobe of include/linux/kprobes.h). */
export interface KprobeOptions extends KprobePlace {
  /**
   * Called when the place is reached, before what stands there. If it returns a value that is true, the probes at the place that
   * were registered before it are not called this time, and no postHandler is.
   */
  readonly preHandler?: (probe: Kprobe, regs: KprobeRegs) => unknown;
  /**
   * Called when what stands at the place was executed: at a function's entry the site; elsewhere the statement, when the next one
   * of the same call begins or the call returns, unless an exception came first. It is refused where that cannot be heard.
   */
  readonly postHandler?: (probe: Kprobe, regs: KprobeRegs) => void;
  /** In the middle of a function: names of variables, which `regs.variables` has. */
  readonly variables?: readonly string[];
  /** Whether the probe begins disabled (KPROBE_FLAG_DISABLED). */
  readonly disabled?: boolean;
}

/** One call of a function with a return probe or an fprobe (struct kretprobe_instance). */
export interface ProbedCall<Probe> {
  readonly probe: Probe;
  /** The address of the function. */
  readonly ip: number;
  /** Yours: what the entry's handler puts here, the end's handler finds. */
  data: unknown;
}

/** How a call has settled. */
export interface KprobeSettling {
  readonly status: 'fulfilled' | 'rejected';
  /**
   * The value, or the reason; undefined if it cannot be read without running code of the program, and for what a sync call threw.
   */
  readonly value: unknown;
  /** Milliseconds since the call began. */
  readonly duration: number;
}

/** A probe of a function's end (struct kretprobe). */
export interface KretprobeOptions {
  /** `[PACKAGE:]FUNCTION` */
  readonly symbol: string;
  /** Called at the entry. If it returns a value that is true, the end of this call is not told. */
  readonly entryHandler?: (call: ProbedCall<Kprobe>, regs: KprobeRegs) => unknown;
  /** Called when the call has returned, or an exception has ended it; for an async function or a generator at its end. */
  readonly handler?: (call: ProbedCall<Kprobe>, regs: KprobeRegs) => void;
  /**
   * Called when the promise that the call returned has settled (`%settled` of kprobe_events), with its value or reason; for a
   * call that returned no promise, or threw, when it ended. One of the two handlers must be there.
   */
  readonly settledHandler?: (call: ProbedCall<Kprobe>, settling: KprobeSettling) => void;
  /** How many calls may be under way at a time and be told; more are missed. Absent or 0: any number. */
  readonly maxactive?: number;
  readonly disabled?: boolean;
}

/** A registered fprobe. */
export type Fprobe = RegisteredProbe;

/** Entries and ends of many functions (struct fprobe of include/linux/fprobe.h). */
export interface FprobeOptions {
  /** Words of set_ftrace_filter: `handle*`, `:mod:express`. */
  readonly filter: string | readonly string[];
  /** Words of set_ftrace_notrace; these functions are left out. */
  readonly notrace?: string | readonly string[];
  /** Called at each entry. If it returns a value that is true, the end of this call is not told. */
  readonly entryHandler?: (call: ProbedCall<Fprobe>, regs: KprobeRegs) => unknown;
  readonly exitHandler?: (call: ProbedCall<Fprobe>, regs: KprobeRegs) => void;
  readonly disabled?: boolean;
}
