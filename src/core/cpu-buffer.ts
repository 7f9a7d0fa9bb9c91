import type { RingBufferReader } from '../ring-buffer/index.js';

/** One thread's ring buffer, seen from its readers. */
export interface CpuBuffer {
  readonly cpu: number;
  /** Undefined as long as the buffer has no memory, because nothing was to be recorded yet. */
  readonly reader: RingBufferReader | undefined;
  /** The memory that a snapshot put aside, if there is any. */
  readonly snapshot: RingBufferReader | undefined;
  /** Data bytes it can hold, or will when it gets its memory. */
  readonly bytes: number;
}
