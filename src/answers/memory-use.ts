import { byteText } from './byte-text.js';

/** Memory in bytes, as `process.memoryUsage()` has it. */
export interface MemoryUse {
  /** What the process has in RAM. */
  readonly rss: number;
  readonly heapTotal: number;
  readonly heapUsed: number;
  /** Outside of the heap, and held by objects in it; with `arrayBuffers`. */
  readonly external: number;
  /** What Buffers and ArrayBuffers have. */
  readonly arrayBuffers: number;
}

/** The memory of a thread that was not asked. */
export const NO_MEMORY: MemoryUse = { rss: 0, heapTotal: 0, heapUsed: 0, external: 0, arrayBuffers: 0 };

const FIELDS = [
  ['heap', 'heapUsed'],
  ['Buffers', 'arrayBuffers'],
  ['external', 'external'],
  ['process', 'rss'],
] as const;

/** `heap 5.1 MB -> 6.0 MB, Buffers 10.0 kB -> 1.2 MB, ...` */
export const memoryLine = (before: MemoryUse, after: MemoryUse): string =>
  FIELDS.map(([name, field]) => `${name} ${byteText(before[field])} -> ${byteText(after[field])}`).join(', ');
