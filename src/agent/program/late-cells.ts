import { BreakpointCells } from '../../arch/v8/breakpoints/breakpoint-cells.js';
import type { AddressOfForeign } from '../../arch/v8/realm/find-caller.js';
import type { Realm } from '../../arch/v8/realm/realm.js';
import { FRAME_MASK } from '../../ftrace/fgraph.js';
import { MOST_BREAKPOINTS } from '../breakpoint-limits.js';
import type { LateCells } from './launch.js';
import type { ProgramThread } from './program-thread.js';

/** Hits a second that a thread's breakpoints may have together: with 50 microseconds each an eighth of its time. */
const HITS_PER_SECOND = 2500;

/** Cells of a thread to which fentry came late: breakpoints reach what has no sites. */
export function breakpointCells(
  { cells, texts }: Realm,
  thread: () => ProgramThread,
  foreign: () => AddressOfForeign,
): LateCells {
  const clock = performance.now.bind(performance);
  return new BreakpointCells({
    cells,
    texts,
    global: globalThis,
    addressOfForeign: (file, name) => foreign()(file, name),
    clock,
    depthOf: (token) => token & FRAME_MASK,
    hitsPerSecond: HITS_PER_SECOND,
    most: MOST_BREAKPOINTS,
    overheated: (n) => thread().tell({ type: 'overheated', n }),
    refused: (n) => thread().tell({ type: 'unreached', n }),
  });
}
