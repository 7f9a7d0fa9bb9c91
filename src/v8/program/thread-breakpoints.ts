import { MOST_BREAKPOINTS } from '../../port/limits.js';
import { traceClock } from '../../ring-buffer/clock.js';
import type { HitLimits } from '../breakpoints/hit-budget.js';
import { ProbeBreakpoints } from '../breakpoints/probe-breakpoints.js';
import type { AddressOfForeign } from '../realm/find-caller.js';
import type { Texts } from '../realm/texts.js';
import { unreadablePlaces } from './unreadable-places.js';

/** What breakpoints of one kind may take together: a quarter of the thread's time, and 50 ms at once. */
export const HIT_LIMITS: HitLimits = { share: 0.25, burst: 50 };

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
    limits: HIT_LIMITS,
    most: MOST_BREAKPOINTS,
  });
}
