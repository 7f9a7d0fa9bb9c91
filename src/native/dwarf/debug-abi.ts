import type { NativeMachine } from '../elf/elf-file.js';
import * as arm64 from '../machines/arm64/argument-registers.js';
import * as x86 from '../machines/x86-64/argument-registers.js';
import type { DebugEntry } from './debug-entry.js';
import type { Location } from './value.js';

/** What debug information of a machine counts on. Registers have the names that probes have for them. */
export interface DebugAbi {
  /** By DWARF's numbers. */
  readonly REGISTERS: readonly string[];
  /** Those of a function's first integers and pointers. */
  readonly ARGUMENT_REGISTERS: readonly string[];
  /** Where the parameters of a function are when it is called, in their order. */
  argumentLocations(parameters: readonly (DebugEntry | undefined)[], result: DebugEntry | undefined): readonly Location[];
}

export const DEBUG_ABIS: Readonly<Record<NativeMachine, DebugAbi>> = { 'x86-64': x86, arm64 };
