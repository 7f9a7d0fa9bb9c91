import type { UnwindAbi } from '../unwind/unwind-abi.js';
import { unwindAbi as arm64 } from './arm64/unwind-abi.js';
import type { NativeMachine } from './elf-abis.js';
import { unwindAbi as x86 } from './x86-64/unwind-abi.js';

/** What unwinding must know of each machine. */
export const UNWIND_ABIS: Readonly<Record<NativeMachine, UnwindAbi>> = { 'x86-64': x86, arm64 };
