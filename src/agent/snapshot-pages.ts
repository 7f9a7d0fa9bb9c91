import type { RingBufferSnapshot } from '../ring-buffer/index.js';
import type { PageSource } from '../tracefs/host.js';

/** Bytes of a sub-buffer's header: {u64 time stamp, u64 commit}. */
const HEADER_BYTES = 16;
/** Bits of the commit word: events were lost before this page, and their number follows the data. */
const MISSED_EVENTS = 0x80000000;
const MISSED_STORED = 0x40000000;
const COMMIT_OFFSET = 8;

/** The snapshot's pages in the kernel's layout, one after the other: what was consumed before is left out of the first. */
export function snapshotPages(snapshot: RingBufferSnapshot): PageSource {
  const { bytes, view, pages } = snapshot;
  let next = 0;
  return () => {
    const page = pages[next++];
    if (page === undefined) return undefined;
    const { offset, from, stamp, lost } = page;
    const committed = view.getUint32(offset + COMMIT_OFFSET, true);
    const data = bytes.subarray(offset + HEADER_BYTES + from, offset + HEADER_BYTES + committed);
    const out = new Uint8Array(HEADER_BYTES + data.length + (lost > 0 ? 8 : 0));
    const header = new DataView(out.buffer);
    const time = from > 0 ? BigInt(stamp) : view.getBigUint64(offset, true);
    header.setBigUint64(0, time, true);
    header.setUint32(COMMIT_OFFSET, data.length + (lost > 0 ? MISSED_EVENTS + MISSED_STORED : 0), true);
    out.set(data, HEADER_BYTES);
    if (lost > 0) header.setBigUint64(HEADER_BYTES + data.length, BigInt(lost), true);
    return out;
  };
}
