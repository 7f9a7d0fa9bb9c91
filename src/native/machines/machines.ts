import type { NativeMachine } from '../elf/elf-file.js';
import type { Machine } from '../machine/machine.js';
import { ARM64 } from './arm64/machine.js';
import { processMachine } from './process-machine.js';
import { X86_64 } from './x86-64/machine.js';

/** The machines whose text fentry knows. */
export const MACHINES: Readonly<Record<NativeMachine, Machine>> = {
  'x86-64': X86_64,
  arm64: ARM64,
};

/** The machine that this process runs on. */
export const LOCAL_MACHINE: Machine = MACHINES[processMachine.name];
