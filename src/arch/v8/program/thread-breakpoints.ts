import { traceClock } from '../../../ring-buffer/clock.js';
import { MOST_BREAKPOINTS } from '../../limits.js';
import { ProbeBreakpoints } from '../breakpoints/probe-breakpoints.js';
import type { AddressOfForeign } from '../realm/find-caller.js';
import type { Texts } from '../realm/texts.js';
import { unreadablePlaces } from './unreadable-places.js';

/** How many hits in a second breakpoints of one kind may have together: at 50 microseconds each, an eighth of the thread's time. */
export const HITS_PER_SECOND = 2500;

/** Not `performance.now`: Node loads ten modules for that. */
export const milliseconds = (): number => traceClock() / 1e6;

/** The breakpoints of a thread's probes. */
export function threadBreakpoints(texts: Texts, foreign: () => AddressOfForeign, ownFolder: string): ProbeBreakpoints {
  return new ProbeBreakpoints({
    texts,
    addressOfForeign: (file, name) => foreign()(file, name),
    unreadable: unreadablePlaces(ownFolder),
    global: globalThis,
    clock: milliseconds,
    hitsPerSecond: HITS_PER_SECOND,
    most: MOST_BREAKPOINTS,
  });
}
