/** From the largest; the first that a size reaches is its unit. */
const UNITS = [
  ['GB', 1e9],
  ['MB', 1e6],
  ['kB', 1e3],
] as const;

/** `12.4 MB`: a size in the unit that fits, GB, MB, kB or bytes. */
export function byteText(bytes: number): string {
  const [unit, size] = UNITS.find(([, least]) => Math.abs(bytes) >= least) ?? ['B', 1];
  return size === 1 ? `${Math.round(bytes)} B` : `${(bytes / size).toFixed(1)} ${unit}`;
}
