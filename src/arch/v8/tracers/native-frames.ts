import { processDlopen } from '../../../base/primordials.js';
import { type Fgraph, NATIVE_STAMP, STAMP } from '../../../ftrace/fgraph.js';
import type { ClockReading } from '../../../ring-buffer/trace-clocks.js';

/** What the shared object exports (arch/native/addon/addon-words.ts). */
interface Addon {
  call(words: BigUint64Array): void;
  locate(words: BigUint64Array, view: ArrayBufferView): void;
}

/** Words of `call`: the function and its first argument come before those that are filled in here. */
const FIRST_ADDRESS = 2;
/** Words that `locate` fills: LOCATED of addon-words.ts. Machine code does not see where a shorter array ends. */
export const LOCATED_WORDS = 4;
const HIGH = 2 ** 32;

/** Tells the traced native text of the process where this thread's shadow stack is. @throws Error if no addon may be loaded */
export function shareFrames({ state, functions, calltimes, wants }: Fgraph, file: string, call: BigUint64Array): void {
  const module = { exports: {} as Addon };
  processDlopen(module, file);
  const { exports: addon } = module;
  const located = new BigUint64Array(LOCATED_WORDS);
  const arrays = [state, functions, calltimes, wants];
  for (let i = 0; i < arrays.length; i++) {
    addon.locate(located, arrays[i]!);
    call[FIRST_ADDRESS + i] = located[0]!;
  }
  addon.call(call);
}

/** The times of the thread's records: each is later than that of the native record before it, and native text knows it. */
export const orderedTimes =
  ({ state }: Fgraph): ClockReading =>
  (ns) => {
    const last = (state[NATIVE_STAMP]! >>> 0) + state[NATIVE_STAMP + 1]! * HIGH;
    const time = ns > last ? ns : last + 1;
    state[STAMP] = time;
    state[STAMP + 1] = time / HIGH;
    return time;
  };
