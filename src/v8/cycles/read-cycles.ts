import { WebAssemblyInstance } from '../../base/primordials.js';
import { Conversions, useCycleCounter } from '../../ring-buffer/cycle-clock.js';
import type { ClockReading } from '../../ring-buffer/trace-clocks.js';
import { NAME, type WasmApi, type WasmModule } from '../machine-code/wasm-function.js';

/** What the control thread has found. */
export interface FoundCycles {
  readonly module: WasmModule;
  /** Which of the modules that were made one after the other, because V8 took away the code of the one before. */
  readonly serial: number;
  readonly conversions: SharedArrayBuffer;
  readonly isChosen: boolean;
}

/** How a thread reads the cycle counter. */
export class ThreadCycles {
  readonly #lost: (serial: number) => void;
  #conversions: Conversions | undefined;

  /** @param lost called when V8 has taken away the machine code of the module with this serial number */
  constructor(lost: (serial: number) => void) {
    this.#lost = lost;
  }

  /**
   * Reads the counter by this module from now on, unless the program took WebAssembly away before fentry came. If V8 has taken
   * away the module's machine code (for a debugger), that is told; another module comes then.
   */
  read({ module, serial, conversions: memory, isChosen }: FoundCycles): void {
    if (WebAssemblyInstance === undefined) return;
    const read = new (WebAssemblyInstance as WasmApi['Instance'])(module).exports[NAME] as () => number;
    const conversions = (this.#conversions ??= new Conversions(memory, read));
    conversions.readBy(read, () => this.#lost(serial));
    if (conversions.renew() >= 0 && isChosen) useCycleCounter(read, conversions);
  }

  /** The counter as a clock; undefined: it was never read. */
  get counts(): ClockReading | undefined {
    return this.#conversions?.counts;
  }
}
