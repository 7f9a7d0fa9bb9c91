import type { CpuReader } from '../ring-buffer/index.js';

/** What one cpu records, seen from its readers. */
export interface CpuBuffer {
  readonly cpu: number;
  /** Undefined as long as the buffer has no memory, because nothing was to be recorded yet. */
  readonly reader: CpuReader | undefined;
  /** The memory that a snapshot put aside, if there is any. */
  readonly snapshot: CpuReader | undefined;
  /** Data bytes it can hold, or will when it gets its memory. */
  readonly bytes: number;
}
