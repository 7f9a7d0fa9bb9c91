/** Lines that came, the last ones only. */
export interface BoundedLog {
  readonly lines: readonly string[];
  /** Older ones that are not kept. */
  readonly dropped: number;
}

export const EMPTY_LOG: BoundedLog = { lines: [], dropped: 0 };

/** A log with more lines: at most so many are kept. */
export function withLines({ lines, dropped }: BoundedLog, more: readonly string[], most: number): BoundedLog {
  const all = more.length >= most ? more : [...lines, ...more];
  const kept = all.slice(-most);
  return { lines: kept, dropped: dropped + lines.length + more.length - kept.length };
}
