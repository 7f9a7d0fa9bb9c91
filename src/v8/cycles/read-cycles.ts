import { WebAssemblyInstance } from '../../base/primordials.js';
import { Conversions, useCycleCounter } from '../../ring-buffer/cycle-clock.js';
import type { ClockReading } from '../../ring-buffer/trace-clocks.js';
import { NAME, type WasmApi, type WasmModule } from '../machine-code/wasm-function.js';

/** What the control thread has found. */
export interface FoundCycles {
  readonly module: WasmModule;
  readonly conversions: SharedArrayBuffer;
  readonly isChosen: boolean;
}

/**
 * Has the thread read the cycle counter, unless it cannot: a debugger has replaced the machine code, or the program took
 * WebAssembly away before fentry came.
 * @returns the counter as a clock
 */
export function readCyclesOf({ module, conversions: memory, isChosen }: FoundCycles): ClockReading | undefined {
  if (WebAssemblyInstance === undefined) return undefined;
  const read = new (WebAssemblyInstance as WasmApi['Instance'])(module).exports[NAME] as () => number;
  const conversions = new Conversions(memory, read);
  if (!(conversions.renew() >= 0)) return undefined;
  if (isChosen) useCycleCounter(read, conversions);
  return conversions.counts;
}
