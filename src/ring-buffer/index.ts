export { traceClock } from './clock.js';
export { createRingBuffer, DEFAULT_SUBBUF_BYTES, pagesFor, type RingBufferOptions } from './create-ring-buffer.js';
export { PageCursor } from './decode.js';
export { formatHeaderPage, HEADER_EVENT } from './header-page.js';
export type { RecordDisabledBy } from './layout.js';
export { RingBufferReader } from './reader.js';
export { RingBufferSnapshot } from './snapshot.js';
export { formatStats, type RingBufferStats } from './stats.js';
export { RingBufferWriter } from './writer.js';
