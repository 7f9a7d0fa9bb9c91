import { CONVERTED_CLOCK } from '../../output/trace-dat/index.js';
import { TSC } from '../../ring-buffer/index.js';

/**
 * Measures the conversion for a recording's folder if the word of `-C` asks for it, as trace-cmd's `tsc2nsec` does: times are
 * those of `x86-tsc`. What is returned measures it once more, after the recording. Rejects with a UsageError where this process
 * cannot read the counter.
 */
export async function conversionInto(folder: string, clock: string | undefined): Promise<(() => void) | undefined> {
  if (clock !== CONVERTED_CLOCK) return undefined;
  const { measureCounter } = await import('./measure-counter.js');
  return measureCounter(folder);
}

/** The trace clock for the word of `-C`. */
export const recordedClock = (word: string): string => (word === CONVERTED_CLOCK ? TSC : word);

/** The text of trace_clock with the word that only `-C` has, as `trace-cmd list -C` shows it. */
export const withConverted = (clocks: string): string =>
  clocks.includes(TSC) ? clocks.replace(/\n$/, ` ${CONVERTED_CLOCK}\n`) : clocks;
