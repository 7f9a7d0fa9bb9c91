import type { UnwindAbi } from '../unwind/unwind-abi.js';
import { unwindAbi as arm64 } from './arm64/unwind-abi.js';
import type { NativeMachine } from './elf-abis.js';
import { unwindAbi as x86 } from './x86-64/unwind-abi.js';

/** What unwinding must know of the machines whose stacks are unwound. */
export const UNWIND_ABIS = { 'x86-64': x86, arm64 } as const satisfies Partial<Record<NativeMachine, UnwindAbi>>;

/** A machine whose stacks are unwound: each whose processes are traced. */
export type UnwoundMachine = keyof typeof UNWIND_ABIS;
