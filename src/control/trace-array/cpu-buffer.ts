import type { CpuReader } from '../../ring-buffer/index.js';

/** What one cpu records, seen from its readers. */
export interface CpuBuffer {
  readonly cpu: number;
  /** Undefined while the buffer has no memory, because nothing was recorded yet. */
  readonly reader: CpuReader | undefined;
  /** The memory of the snapshot, if there is any. */
  readonly snapshot: CpuReader | undefined;
  /** The data bytes that it can hold, or will hold when it has memory. */
  readonly bytes: number;
}
