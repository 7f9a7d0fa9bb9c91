import { TraceError } from '../../base/errno.js';
import { waitForEvents } from '../../ring-buffer/index.js';
import type { CpuBuffer } from './thread-buffer.js';

/** How long a waiting reader goes without a look at what no writer tells it: cpus that came, tracing that was turned off. */
const LOOK_MS = 100;

/**
 * Waits for an event in any of the buffers, at most a moment. EINTR when the signal ends the wait.
 * @param percent how full one of them must be instead; 0: an event is enough
 */
export async function waitForRecords(buffers: readonly CpuBuffer[], signal: AbortSignal | undefined, percent = 0): Promise<void> {
  const readers = buffers.flatMap(({ reader }) => reader ?? []);
  await waitForEvents(readers, percent, signal, LOOK_MS);
  if (signal?.aborted) throw new TraceError('EINTR');
}

/**
 * Whether poll(2) finds something in one of the buffers: an event, or with `percent` so much of it full (ring_buffer_poll_wait).
 */
export const hasRecords = (buffers: readonly CpuBuffer[], percent: number): boolean =>
  buffers.some(({ reader }) => reader !== undefined && (percent === 0 ? !reader.isEmpty() : reader.isFull(percent)));
