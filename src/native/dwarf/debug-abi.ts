import type { DebugEntry } from './debug-entry.js';
import type { Location } from './value.js';

/** What debug information of a machine counts on. Registers have the names that probes have for them. */
export interface DebugAbi {
  /** By DWARF's numbers. */
  readonly REGISTERS: readonly string[];
  /** Registers of a function's first integers and pointers. */
  readonly ARGUMENT_REGISTERS: readonly string[];
  /** Where the parameters of a function are when it is called, in their order. */
  argumentLocations(parameters: readonly (DebugEntry | undefined)[], result: DebugEntry | undefined): readonly Location[];
}
