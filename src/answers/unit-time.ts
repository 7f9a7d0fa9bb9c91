/** From the largest; the first that a time reaches is its unit. */
const UNITS = [
  ['s', 1e9],
  ['ms', 1e6],
  ['us', 1e3],
] as const;

/** `1.234 ms`: a time in nanoseconds in the unit of its size, s, ms or us; `-` for none. */
export function unitTime(ns: number): string {
  if (ns === 0) return '-';
  const [unit, size] = UNITS.find(([, least]) => ns >= least) ?? UNITS[2];
  return `${(ns / size).toFixed(3)} ${unit}`;
}
