/** Rows of trace_stat by function: hits, total and average microseconds. */
export function rowsOf(text: string): Map<string, { hits: number; time: number; average: number }> {
  const rows = text.matchAll(/^ {2}(\S+) +(\d+) +([\d.]+) us +([\d.]+) us +[\d.]+ us +$/gm);
  return new Map(
    [...rows].map(([, name, hits, time, average]) => [
      name!,
      { hits: Number(hits), time: Number(time), average: Number(average) },
    ]),
  );
}
