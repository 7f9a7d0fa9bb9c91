import { processDlopen } from '../../base/primordials.js';
import { type Fgraph, NATIVE_STAMP, STAMP } from '../../ftrace/fgraph.js';
import type { NativeCalls } from '../../port/port.js';
import type { ClockReading } from '../../ring-buffer/trace-clocks.js';
import { bufferOf } from './byte-view.js';

/** What the shared object exports (arch/native/addon/addon-words.ts). */
interface Addon {
  call(words: BigUint64Array): void;
  locate(words: BigUint64Array, view: ArrayBufferView): void;
}

/** Words of `call`: the function and its first argument come before those that are filled in here. */
const FIRST_ADDRESS = 2;
/** The first argument of any call, and what it has returned. */
const FIRST_ARGUMENT = 1;
const RESULT = 9;
/** Words that `locate` fills: LOCATED of addon-words.ts. Machine code does not see where a shorter array ends. */
export const LOCATED_WORDS = 4;
/** The word of the low half of what the function returned, in words of 32 bits: CALL of addon-words.ts. */
export const RESULT_WORD = 18;
const HIGH = 2 ** 32;

/**
 * Tells the traced native text of the process where this thread's shadow stack is, until the thread's memory is freed.
 * @returns the processor's counter as a clock, which `counter` calls
 * @throws Error if no addon may be loaded
 */
export function shareFrames(
  { state, functions, calltimes, wants }: Fgraph,
  file: string,
  { call, counter, isolate, atEnd }: NativeCalls,
): ClockReading {
  const module = { exports: {} as Addon };
  processDlopen(module, file);
  const { exports: addon } = module;
  const located = new BigUint64Array(LOCATED_WORDS);
  const arrays = [state, functions, calltimes, wants];
  for (let i = 0; i < arrays.length; i++) {
    addon.locate(located, arrays[i]!);
    call[FIRST_ADDRESS + i] = located[0]!;
  }
  addon.call(isolate);
  atEnd[FIRST_ARGUMENT] = isolate[RESULT]!;
  addon.call(atEnd);
  addon.call(call);
  const halves = new Uint32Array(bufferOf(counter));
  return () => {
    addon.call(counter);
    return halves[RESULT_WORD]! + halves[RESULT_WORD + 1]! * HIGH;
  };
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
