import { type FunctionToPlace, placeFunction } from '../machine-code/place-function.js';
import type { WasmApi, WasmModule } from '../machine-code/wasm-function.js';
import { COUNTER, COUNTER_CODES, NOT_READ } from './counter-code.js';

/** A function of this thread that reads the cycle counter, and the module by which other threads get it too. */
export interface PlacedCounter {
  readonly module: WasmModule;
  readonly read: () => number;
  /** Where its machine code begins. */
  readonly address: number;
}

const TO_PLACE: FunctionToPlace<() => number> = {
  wasm: COUNTER,
  codes: COUNTER_CODES,
  isCompiled: (read) => read() === NOT_READ,
  isPlaced(read) {
    const [first, second] = [read(), read()];
    return first > 0 && second >= first;
  },
};

/**
 * Places the function that reads the cycle counter. Takes about a millisecond.
 * @param wasm of the thread's global object
 * @throws PlacingRefused
 */
export function placeCounter(wasm: WasmApi | undefined): PlacedCounter {
  const { module, call, address } = placeFunction(wasm, TO_PLACE);
  return { module, read: call, address };
}
