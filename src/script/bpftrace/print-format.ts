import type { Conversion } from '../program.js';

/** What a conversion of bpftrace wants: the class of its argument, and of an integer how many bytes are shown. */
export interface Wanted {
  /** The letter as it is written, without `%` and width. */
  readonly letter: string;
  readonly takes: 'integer' | 'string' | 'buffer';
  /** The bytes of an integer. */
  readonly size?: 1 | 2 | 4 | 8;
  readonly isSigned?: boolean;
  /** Shown by what is printed in its place; undefined: the text stands for itself, as in `%%d`. */
  readonly conversion?: Conversion;
  /** The text as it is written. */
  readonly text: string;
}
export type ParsedFormat = readonly (string | Wanted)[];

/** What bpftrace takes as a conversion: `%5.2d`, `%-10s`, `%llx`; no other flag than `-`, and no `%i`, `%e` or `*`. */
const CONVERSION = /%(-?)(\d*)(?:\.(\d+))?(?:(hh|h|ll|l|j|z|t)?([douxX])|(rx|rh|[rspc]))/g;
const SIZES = { hh: 1, h: 2 } as const;

/**
 * Takes a format apart. What stands before a conversion is printed by printf(3), which has `%%` for a percent sign; what stands
 * behind the last one is printed as it is.
 */
export function parseFormat(format: string): ParsedFormat {
  const parts: (string | Wanted)[] = [];
  let end = 0;
  for (const match of format.matchAll(CONVERSION)) {
    const before = format.slice(end, match.index);
    const percents = /%*$/.exec(before)![0].length;
    parts.push(before.replaceAll('%%', '%').replace(/%$/, percents % 2 === 1 ? '' : '%'));
    parts.push(wantedOf(match, percents % 2 === 1));
    end = match.index + match[0].length;
  }
  parts.push(format.slice(end));
  return parts.filter((part) => part !== '');
}

function wantedOf([text, minus, width, precision, length, integer, other]: RegExpExecArray, isEscaped: boolean): Wanted {
  const letter = integer ?? other!;
  const isZero = width!.startsWith('0') && minus === '';
  const sizes = {
    ...(Number(width) > 0 ? { width: Number(width) } : {}),
    ...(precision === undefined ? {} : { precision: Number(precision) }),
  };
  const shownBy = letter.startsWith('r') ? 's' : letter;
  const conversion = isEscaped ? {} : { conversion: { letter: shownBy, flags: `${minus}${isZero ? '0' : ''}`, ...sizes } };
  if (letter === 's') return { letter, takes: 'string', text, ...conversion };
  if (letter.startsWith('r')) return { letter, takes: 'buffer', text, ...conversion };
  const short = length === undefined ? 4 : (SIZES[length as keyof typeof SIZES] ?? 8);
  const size = letter === 'p' ? 8 : letter === 'c' ? 1 : short;
  return { letter: `${length ?? ''}${letter}`, takes: 'integer', size, isSigned: letter === 'd', text, ...conversion };
}
