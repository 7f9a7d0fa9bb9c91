import { PageCursor } from './decode.js';
import * as at from './layout.js';
import type { SharedRing } from './shared-ring.js';
import type { RingBufferStats } from './stats.js';

/** How often to try to read the counters of one moment while the writer moves from page to page. */
const TRIES = 100;

/** The counters of a ring, and what is on the page that the writer is on. */
export function ringStats(ring: SharedRing, nowTs: number): RingBufferStats {
  const { f64 } = ring;
  for (let tries = 1; ; tries++) {
    const tail = ring.tailPage();
    const serial = ring.serial(tail);
    const overrun = f64[at.OVERRUN]!;
    const written = f64[at.EVENTS]! + eventsOnPage(ring, tail);
    const bytes = f64[at.BYTES]! + ring.committed(tail);
    if ((ring.tailPage() !== tail || ring.serial(tail) !== serial) && tries < TRIES) continue;
    const oldest = tail === ring.readerPage() ? tail : ring.findHead();
    return {
      entries: written - overrun - f64[at.READ]!,
      overrun: overrun - f64[at.CLEARED_OVERRUN]!,
      commitOverrun: f64[at.COMMIT_OVERRUN]! - f64[at.CLEARED_COMMIT_OVERRUN]!,
      bytes: bytes - f64[at.READ_BYTES]!,
      oldestEventTs: oldest < 0 ? 0 : ring.pageStamp(oldest),
      nowTs,
      droppedEvents: f64[at.DROPPED]! - f64[at.CLEARED_DROPPED]!,
      readEvents: f64[at.READ]! - f64[at.CLEARED_READ]!,
    };
  }
}

/** Resets the counters to 0 as readers see them; the writer goes on counting. */
export function clearStats(ring: SharedRing): void {
  const { f64 } = ring;
  // Not OVERRUN: the writer may be ahead already. What came before the next event to read and was not read was overwritten.
  f64[at.CLEARED_OVERRUN] = f64[at.NEXT_EVENT]! - f64[at.READ]!;
  f64[at.CLEARED_DROPPED] = f64[at.DROPPED]!;
  f64[at.CLEARED_COMMIT_OVERRUN] = f64[at.COMMIT_OVERRUN]!;
  f64[at.CLEARED_READ] = f64[at.READ]!;
}

function eventsOnPage(ring: SharedRing, page: number): number {
  const cursor = ring.open(new PageCursor(), page);
  let events = 0;
  while (cursor.next()) events++;
  return events;
}
