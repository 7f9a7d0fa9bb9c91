import { createRequire } from 'node:module';
import { untraced } from '../../base/untraced-fs.js';
import { MOST_BREAKPOINTS } from '../../port/limits.js';
import { traceClock } from '../../ring-buffer/clock.js';
import type { HitLimits } from '../breakpoints/hit-budget.js';
import { ProbeBreakpoints } from '../breakpoints/probe-breakpoints.js';
import type { classTest as ClassTest } from '../instrument/index.js';
import type { AddressOfForeign } from '../realm/capture-callers.js';
import type { Texts } from '../realm/texts.js';

/** The first V8 that evaluates in classes as elsewhere: that of Node 24. */
const FIRST_SOUND = 13;

const nowhere = (): boolean => false;
const everywhere = (): boolean => true;

/**
 * Returns what says whether an offset of a text is one where V8 stops, but must not evaluate anything. In the fields, static
 * blocks and computed names of classes V8 before 13 has a wrong `this`, or aborts the process with a failed check.
 */
function unreadablePlaces(fentryFolder: string): (source: string, isModule: boolean) => (offset: number) => boolean {
  if (Number.parseInt(process.versions.v8, 10) >= FIRST_SOUND) return () => nowhere;
  return (source, isModule) => {
    if (!/\bclass\b/.test(source)) return nowhere;
    try {
      const { classTest } = untraced(createRequire(fentryFolder))('./instrument.cjs') as {
        readonly classTest: typeof ClassTest;
      };
      return untraced(classTest)(source, isModule);
    } catch {
      return everywhere;
    }
  };
}

/** What breakpoints of one kind may take together: a quarter of the thread's time, and 50 ms at once. */
export const HIT_LIMITS: HitLimits = { share: 0.25, burst: 50 };

/** Not `performance.now`: Node loads ten modules for that. */
export const milliseconds = (): number => traceClock() / 1e6;

/** The breakpoints of a thread's probes. */
export function threadBreakpoints(texts: Texts, foreign: () => AddressOfForeign, fentryFolder: string): ProbeBreakpoints {
  return new ProbeBreakpoints({
    texts,
    addressOfForeign: (file, name) => foreign()(file, name),
    unreadable: unreadablePlaces(fentryFolder),
    global: globalThis,
    clock: milliseconds,
    limits: HIT_LIMITS,
    most: MOST_BREAKPOINTS,
  });
}
