/** What a callback can read (the kernel's ftrace_regs). One object for each call; fentry keeps nothing of it. */
export interface FtraceRegs {
  /** `this` of the call; undefined if the function has no own `this`. */
  readonly self: unknown;
  /** The values of the simple named parameters, in order. */
  readonly arguments: readonly unknown[];
  /** In `exit`: the returned value; undefined if the function returned nothing or did not return. */
  readonly returnValue: unknown;
  /** In `exit`: an exception ended the function. */
  readonly unwound: boolean;
}

/**
 * Called at a traced function's entry or exit.
 * @param ip the function's address: its 64 bits with their sign, so 0xffffffff81000000 is -0x7f000000
 * @param parentIp the same of the innermost traced function that is running, 0 if there is none
 * @param ops the ops that was registered
 * @param regs null unless `saveRegs` is set; never null in `exit`
 */
export type FtraceCallback = (ip: number, parentIp: number, ops: FtraceFunctionOps, regs: FtraceRegs | null) => void;

/** A subscriber to function calls (struct ftrace_ops as Documentation/trace/ftrace-uses.rst has it). */
export interface FtraceFunctionOps {
  readonly func: FtraceCallback;
  /** Called when the function returns or an exception leaves it (as fprobe's exit_handler); a coroutine's once, at its end. */
  readonly exit?: FtraceCallback;
  /** FTRACE_OPS_FL_SAVE_REGS: pass `this` and the arguments. This allocates an array and an object for each call. */
  readonly saveRegs?: boolean;
  /** Words of set_ftrace_filter: names, globs, `:mod:`. None: every function. */
  readonly filter?: string | readonly string[];
  /** Words of set_ftrace_notrace; wins over `filter`. */
  readonly notrace?: string | readonly string[];
  /** Yours. */
  private?: unknown;
}
