/** The units of times, the smallest first: how many ns each is. */
const UNITS = [
  ['ns', 1],
  ['µs', 1e3],
  ['ms', 1e6],
  ['s', 1e9],
] as const;

/** `1.234 ms`: a time as a person reads it, with four digits. */
export function timeText(ns: number): string {
  const size = Math.abs(ns);
  const [unit, factor] = UNITS.findLast(([, least]) => size >= least) ?? UNITS[0];
  const value = ns / factor;
  return `${unit === 'ns' ? Math.round(value) : value.toPrecision(Math.max(4, Math.floor(Math.log10(Math.abs(value))) + 1))} ${unit}`;
}

/** The distance of the marks of a ruler, ns: 1, 2 or 5 of a power of ten, so that there are at most so many. */
export function rulerStep(length: number, most: number): number {
  const least = length / most;
  const power = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= least)!;
}

/** `+12.5 ms`: a time from a beginning on, with the digits that a step of a ruler has. */
export function rulerText(ns: number, step: number): string {
  if (ns === 0) return '0';
  const [unit, factor] = UNITS.findLast(([, least]) => Math.abs(ns) >= least) ?? UNITS[0];
  const digits = Math.max(0, Math.ceil(-Math.log10(step / factor) - 1e-9));
  return `${(ns / factor).toFixed(Math.min(digits, 9))} ${unit}`;
}

/** `26.03 MB`: an amount of a counter. */
export function amountText(amount: number, unit: string): string {
  if (unit === 'bytes' && amount >= 1e6) return `${Number((amount / 1e6).toPrecision(4)).toLocaleString('en')} MB`;
  const text = Number(amount.toPrecision(4)).toLocaleString('en');
  return unit === 'percent' ? `${text} %` : unit === 'count' ? text : `${text} ${unit}`;
}

/** `1,234,567` */
export const countText = (count: number): string => count.toLocaleString('en');
