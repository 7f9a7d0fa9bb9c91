import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CONVERTED_CLOCK, type CountConversion, conversionOf } from '../../output/trace-dat/index.js';
import { type CountedTime, hrtimeClock, readFirst } from '../../ring-buffer/index.js';
import { whyNoClock } from '../../v8/cycles/counter-facts.js';
import { placeCounter } from '../../v8/cycles/place-counter.js';
import { PlacingRefused } from '../../v8/machine-code/own-memory.js';
import type { WasmApi } from '../../v8/machine-code/wasm-function.js';
import { UsageError } from '../verb.js';
import { CONVERSION_FILE } from './recording-folder.js';

const { WebAssembly } = globalThis as { readonly WebAssembly?: WasmApi };

/** The least time in which the rate is measured, in nanoseconds: two readings are off by some ten. */
const SHORTEST_SPAN = 3e7;

/** Reads the time stamp counter and CLOCK_MONOTONIC. @throws PlacingRefused */
function readBoth(): CountedTime {
  const why = process.arch === 'x64' ? whyNoClock() : 'only x86-64 has that counter';
  if (why !== undefined) throw new PlacingRefused(why);
  const { read } = placeCounter(WebAssembly);
  return readFirst(read, hrtimeClock());
}

function conversionSince(first: CountedTime): CountConversion {
  const monotonic = hrtimeClock();
  while (monotonic() < first.ns + SHORTEST_SPAN);
  const { count, ns } = readBoth();
  return conversionOf((ns - first.ns) / (count - first.count));
}

/**
 * Measures in this process how fast the time stamp counter counts, which is the same in all, and writes the conversion into the
 * folder of a recording: at once, after some 30 ms, for who restores the recording; and again, more exactly, when what is
 * returned is called. Throws UsageError with the reason where this process cannot read the counter.
 */
export function measureCounter(folder: string): () => void {
  try {
    const first = readBoth();
    const write = (): void =>
      writeFileSync(join(folder, CONVERSION_FILE), JSON.stringify(conversionSince(first)), { mode: 0o600 });
    write();
    return write;
  } catch (error) {
    if (!(error instanceof PlacingRefused)) throw error;
    throw new UsageError(`-C ${CONVERTED_CLOCK}: the time stamp counter cannot be read: ${error.message}`);
  }
}
