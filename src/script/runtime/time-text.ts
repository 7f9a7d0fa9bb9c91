import {
  StringPrototypePadStart as padStart,
  NumberPrototypeToString as text,
  Date_ as WallTime,
} from '../../base/primordials.js';
import type { Long } from '../../events/c-types.js';

/** Times as texts. Methods of a Date come from its prototype: what the program did to it shows in the text alone. */

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;
const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const;
const SHORT = 3;

const two = (value: number): string => padStart(text(value), 2, '0');
const spaced = (value: number): string => padStart(text(value), 2);
const clock = (time: Date): string => `${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}`;
const day = (time: Date): string => DAYS[time.getDay()]!.slice(0, SHORT);
const month = (time: Date): string => MONTHS[time.getMonth()]!.slice(0, SHORT);
const dayOfYear = (time: Date): number =>
  Math.round(
    (new WallTime(time.getFullYear(), time.getMonth(), time.getDate()).getTime() -
      new WallTime(time.getFullYear(), 0, 1).getTime()) /
      86_400_000,
  ) + 1;

/** The offset from UTC, `+0100`. */
function zone(time: Date): string {
  const minutes = -time.getTimezoneOffset();
  const whole = Math.abs(minutes);
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(whole / 60))}${two(whole % 60)}`;
}

/** Conversions of strftime(3). */
const CONVERSIONS: Readonly<Record<string, (time: Date, microseconds: number) => string>> = {
  a: day,
  A: (time) => DAYS[time.getDay()]!,
  b: month,
  h: month,
  B: (time) => MONTHS[time.getMonth()]!,
  c: (time) => `${day(time)} ${month(time)} ${spaced(time.getDate())} ${clock(time)} ${time.getFullYear()}`,
  d: (time) => two(time.getDate()),
  D: (time) => `${two(time.getMonth() + 1)}/${two(time.getDate())}/${two(time.getFullYear() % 100)}`,
  e: (time) => spaced(time.getDate()),
  f: (_time, microseconds) => padStart(text(microseconds), 6, '0'),
  F: (time) => `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`,
  H: (time) => two(time.getHours()),
  I: (time) => two(time.getHours() % 12 || 12),
  j: (time) => padStart(text(dayOfYear(time)), 3, '0'),
  m: (time) => two(time.getMonth() + 1),
  M: (time) => two(time.getMinutes()),
  n: () => '\n',
  p: (time) => (time.getHours() < 12 ? 'AM' : 'PM'),
  R: (time) => `${two(time.getHours())}:${two(time.getMinutes())}`,
  s: (time) => text(Math.floor(time.getTime() / 1000)),
  S: (time) => two(time.getSeconds()),
  t: () => '\t',
  T: clock,
  u: (time) => text(time.getDay() || 7),
  w: (time) => text(time.getDay()),
  x: (time) => `${two(time.getMonth() + 1)}/${two(time.getDate())}/${two(time.getFullYear() % 100)}`,
  X: clock,
  y: (time) => two(time.getFullYear() % 100),
  Y: (time) => text(time.getFullYear()),
  z: zone,
  '%': () => '%',
};

/** A time in nanoseconds since 1970 by a format of strftime(3), in local time; `%f` are the microseconds. */
export function formatTime(format: string, wallNs: Long): string {
  const microseconds = Number(BigInt(wallNs) / 1000n);
  const time = new WallTime(microseconds / 1000);
  let all = '';
  for (let i = 0; i < format.length; i++) {
    const letter = format[i] === '%' ? format[i + 1] : undefined;
    const conversion = letter === undefined ? undefined : CONVERSIONS[letter];
    if (conversion === undefined) {
      all += format[i];
      continue;
    }
    all += conversion(time, microseconds % 1_000_000);
    i++;
  }
  return all;
}

/** `Thu Jan  1 00:00:00 1970`, in UTC. */
export const utcText = (time: Date): string =>
  `${DAYS[time.getUTCDay()]!.slice(0, SHORT)} ${MONTHS[time.getUTCMonth()]!.slice(0, SHORT)} ${spaced(time.getUTCDate())} ${two(time.getUTCHours())}:${two(time.getUTCMinutes())}:${two(time.getUTCSeconds())} ${time.getUTCFullYear()}`;
