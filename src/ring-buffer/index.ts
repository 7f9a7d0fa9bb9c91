export { hrtimeClock, setCycleCounter, traceClock } from './clock.js';
export { ClockedWriter } from './clocked-writer.js';
export type { CpuReader, EventSnapshot } from './cpu-reader.js';
export {
  type AllocateRing,
  allocateRing,
  createRingBuffer,
  createRingIn,
  DEFAULT_SUBBUF_BYTES,
  pagesFor,
  type RingBufferOptions,
} from './create-ring-buffer.js';
export { Conversions, type CountedTime, createConversions, readFirst, useCycleCounter } from './cycle-clock.js';
export { PageCursor } from './decode.js';
export { createInstanceSwitch, InstanceSwitch, type OffReason } from './instance-switch.js';
export type { RecordDisabledBy } from './layout.js';
export { MergedReader } from './merged-reader.js';
export { moveRing } from './move-ring.js';
export { RingBufferReader } from './reader.js';
export { RingBufferSnapshot } from './snapshot.js';
export { formatStats, type RingBufferStats } from './stats.js';
export {
  createSnapshotMemory,
  forgetSnapshots,
  loadSnapshot,
  loadSnapshots,
  renewSnapshots,
  storeSnapshot,
} from './stored-snapshot.js';
export { takeSnapshotOf } from './take-snapshot.js';
export {
  type ClockReading,
  clockReading,
  clockSource,
  isClockInNs,
  listClocks,
  MISSING_CLOCKS,
  type TimeStampClock,
  TRACE_CLOCKS,
  type TraceClock,
  TSC,
} from './trace-clocks.js';
export { waitForEvents } from './wait.js';
export { RingBufferWriter } from './writer.js';
