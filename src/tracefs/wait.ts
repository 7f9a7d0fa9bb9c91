import { TraceError } from '../base/errno.js';
import type { CpuBuffer } from '../core/host.js';
import { waitForEvents } from '../ring-buffer/index.js';

/** How long a waiting reader goes without a look at what no writer tells it: cpus that came, tracing that was turned off. */
const LOOK_MS = 100;

/** Waits for an event in any of the buffers, at most a moment. EINTR when the signal ends the wait. */
export async function waitForRecords(buffers: readonly CpuBuffer[], signal: AbortSignal | undefined): Promise<void> {
  const readers = buffers.flatMap(({ reader }) => reader ?? []);
  await waitForEvents(readers, 0, signal, LOOK_MS);
  if (signal?.aborted) throw new TraceError('EINTR');
}
