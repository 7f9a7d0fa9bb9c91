/** What `per_cpu/cpuN/stats` shows. Times in nanoseconds. */
export interface RingBufferStats {
  /** Events inside, not yet read. */
  readonly entries: number;
  /** Events overwritten before they were read. */
  readonly overrun: number;
  /** Events refused because another was being written. */
  readonly commitOverrun: number;
  /** Bytes of the events inside, with what keeps them in place: time extends and padding. */
  readonly bytes: number;
  readonly oldestEventTs: number;
  readonly nowTs: number;
  /** Events refused because the buffer was full (not in overwrite mode), or they were larger than a sub-buffer. */
  readonly droppedEvents: number;
  readonly readEvents: number;
}

/**
 * The text of `per_cpu/cpuN/stats`, as tracing_stats_read() in kernel/trace/trace.c writes it.
 * @param clockInNs false for clocks that count: their times are shown as they are
 */
export function formatStats(stats: RingBufferStats, clockInNs = true): string {
  const time = clockInNs ? formatSeconds : (ts: number) => String(ts);
  return [
    `entries: ${stats.entries}`,
    `overrun: ${stats.overrun}`,
    `commit overrun: ${stats.commitOverrun}`,
    `bytes: ${stats.bytes}`,
    `oldest event ts: ${time(stats.oldestEventTs)}`,
    `now ts: ${time(stats.nowTs)}`,
    `dropped events: ${stats.droppedEvents}`,
    `read events: ${stats.readEvents}`,
    '',
  ].join('\n');
}

function formatSeconds(ns: number): string {
  const us = Math.floor((ns + 500) / 1000);
  const seconds = String(Math.floor(us / 1e6)).padStart(5);
  return `${seconds}.${String(us % 1e6).padStart(6, '0')}`;
}
