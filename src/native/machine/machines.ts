import type { NativeMachine } from '../elf/elf-file.js';
import { ARM64 } from '../machines/arm64/machine.js';
import { X86_64 } from '../machines/x86-64/machine.js';
import type { Machine } from './machine.js';

/** The machines for which code is emitted. */
export const MACHINES: Readonly<Record<NativeMachine, Machine>> = { 'x86-64': X86_64, arm64: ARM64 };

/** The machine that this process runs on. */
export const OWN_MACHINE: Machine = MACHINES[process.arch === 'arm64' ? 'arm64' : 'x86-64'];
