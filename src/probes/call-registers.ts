/** The registers that hold the arguments of a call, in their order, and the one in which its result comes back. */
export interface CallRegisters {
  readonly args: readonly string[];
  readonly retval: string;
}

/** By machine, as Node names it: those of the calling convention, with the kernel's names (regs_get_kernel_argument). */
const MACHINES: Readonly<Record<string, CallRegisters>> = {
  x64: { args: ['di', 'si', 'dx', 'cx', 'r8', 'r9'], retval: 'ax' },
  arm64: { args: ['x0', 'x1', 'x2', 'x3', 'x4', 'x5', 'x6', 'x7'], retval: 'x0' },
};

/**
 * The registers of calls on a machine. JavaScript has no registers: there, their names stand for what they would hold, so that a
 * line which was written for a function of the kernel means the same.
 */
export const callRegisters = (machine: string): CallRegisters | undefined => MACHINES[machine];
