import { PageCursor } from './decode.js';
import { COMMIT_WORD, MISSED_EVENTS, MISSED_STORED, PAGE_HEADER_BYTES } from './event-word.js';
import * as at from './layout.js';
import type { SharedRing } from './shared-ring.js';

/** The result of reading from the reader page: where reading goes on (bytes of data), the timestamp there, the events. */
export interface ReadOut {
  readonly offset: number;
  readonly ts: number;
  readonly events: number;
}

const cursor = new PageCursor();

/** Copies a page that the writer has left, whole: the padding at its end gives room for the number of lost events. */
export function copyWholePage(ring: SharedRing, page: number, into: Uint8Array, lost: number): ReadOut {
  const committed = ring.committed(page);
  const stamp = ring.pageStamp(page);
  copyData(ring, page, into, 0, ring.realEnd(page) || committed, stamp, lost);
  return { offset: committed, ts: stamp, events: ring.entries(page) };
}

/** Copies the unread events of a page; they are at the beginning of the copy. */
export function copyRestOfPage(ring: SharedRing, page: number, into: Uint8Array, lost: number): ReadOut {
  const rest = restOfPage(ring, page);
  copyData(ring, page, into, ring.i32[at.READ_OFFSET]!, rest.offset, ring.f64[at.READ_STAMP]!, lost);
  return rest;
}

/** The unread events of a page. */
export function restOfPage(ring: SharedRing, page: number): ReadOut {
  const data = ring.pageOffset(page) + PAGE_HEADER_BYTES;
  ring.openUnread(cursor, page);
  let events = 0;
  while (cursor.next()) events++;
  return { offset: (cursor.position << 2) - data, ts: cursor.ts, events };
}

function copyData(ring: SharedRing, page: number, into: Uint8Array, from: number, to: number, stamp: number, lost: number): void {
  const start = ring.pageOffset(page) + PAGE_HEADER_BYTES;
  const view = new DataView(into.buffer, into.byteOffset, ring.subbufBytes);
  let end = PAGE_HEADER_BYTES + to - from;
  let commit = to - from;
  into.set(ring.u8.subarray(start + from, start + to), PAGE_HEADER_BYTES);
  if (lost > 0) {
    commit += MISSED_EVENTS;
    if (ring.subbufBytes - end >= 8) {
      commit += MISSED_STORED;
      view.setBigUint64(end, BigInt(lost), true);
      end += 8;
    }
  }
  into.fill(0, end, ring.subbufBytes);
  view.setUint32(0, stamp >>> 0, true);
  view.setUint32(4, Math.floor(stamp / 2 ** 32), true);
  view.setUint32(COMMIT_WORD << 2, commit, true);
  // The kernel's flag is an int: its sign goes on into the upper half.
  view.setUint32((COMMIT_WORD + 1) << 2, lost > 0 ? 0xffffffff : 0, true);
}
