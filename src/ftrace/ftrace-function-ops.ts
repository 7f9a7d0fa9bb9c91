/** What a callback may look at (the kernel's ftrace_regs). One object a call; nothing of it is kept by fentry. */
export interface FtraceRegs {
  /** `this` of the call; undefined where the function has none of its own. */
  readonly self: unknown;
  /** The values of the simple named parameters, in order. */
  readonly arguments: readonly unknown[];
  /** In `exit`: what the function returned; undefined when it returned nothing or did not return. */
  readonly returnValue: unknown;
  /** In `exit`: an exception took the function off the stack. */
  readonly unwound: boolean;
}

/**
 * Called at a traced function's entry or exit.
 * @param ip low 32 bits of the function's address; the high ones are TEXT_HIGH
 * @param parentIp the same of the innermost traced function that is running, 0 when there is none
 * @param ops the ops that was registered
 * @param regs null unless `saveRegs` was asked for; never null in `exit`
 */
export type FtraceCallback = (ip: number, parentIp: number, ops: FtraceFunctionOps, regs: FtraceRegs | null) => void;

/** A subscriber to function calls (struct ftrace_ops as Documentation/trace/ftrace-uses.rst has it). */
export interface FtraceFunctionOps {
  readonly func: FtraceCallback;
  /** Called when the function returns or an exception leaves it (as fprobe's exit_handler); a coroutine's once, at its end. */
  readonly exit?: FtraceCallback;
  /** FTRACE_OPS_FL_SAVE_REGS: pass `this` and the arguments. Costs an array and an object a call. */
  readonly saveRegs?: boolean;
  /** Words of set_ftrace_filter: names, globs, `:mod:`. None: every function. */
  readonly filter?: string | readonly string[];
  /** Words of set_ftrace_notrace; wins over `filter`. */
  readonly notrace?: string | readonly string[];
  /** Yours. */
  private?: unknown;
}
